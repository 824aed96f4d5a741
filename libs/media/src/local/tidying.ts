import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { leftAfterMs } from '../keys.ts';
import { factsFile, partsFolder, unlessAbsent } from './files.ts';

/** Removes old uploads of all organizations, and drafts of writers that died. @returns how many uploads */
export async function tidyFiles(directory: string, before: Date): Promise<number> {
  const folders = (await unlessAbsent(readdir(directory))) ?? [];
  let removed = 0;
  for (const folder of folders) {
    if (folder === partsFolder) {
      await removeOlder(join(directory, folder), Date.now() - leftAfterMs);
    } else removed += await removeOlder(join(directory, folder, 'uploads'), before.getTime());
  }
  return removed;
}

async function removeOlder(folder: string, before: number): Promise<number> {
  const names = (await unlessAbsent(readdir(folder))) ?? [];
  let removed = 0;
  for (const name of names) {
    const path = join(folder, name);
    const found = await unlessAbsent(stat(path));
    if (found === undefined || found.mtimeMs >= before) continue;
    await rm(path, { force: true });
    if (name.endsWith('.json')) continue;
    await rm(factsFile(path), { force: true });
    removed += 1;
  }
  return removed;
}
