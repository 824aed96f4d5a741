import { readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** No upload takes so long, milliseconds: older files belong to nobody. */
const oldMs = 6 * 3_600_000;
/** How the client library names what it encrypts, and what it keeps to look at. */
const names = /^(image|video|audio|document)3EB0[0-9A-F]{18,}-(enc|original)$/;

/** Removes temporary files of uploads that were under way when a process was killed. */
export async function removeLeftFiles(now: number, directory = tmpdir()): Promise<void> {
  for (const name of await readdir(directory)) {
    if (!names.test(name)) continue;
    const path = join(directory, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: now }));
    if (mtimeMs < now - oldMs) await rm(path, { force: true });
  }
}
