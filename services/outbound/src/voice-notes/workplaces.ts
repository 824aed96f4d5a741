import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const names = /^voice-note-(\d+)-\w+$/;
/** A process id that is in use again protects nothing any longer, milliseconds. */
const oldMs = 3_600_000;

/** A folder for the files of one voice note, which goes when the work is done, and after a kill -9 at the next start. */
export async function inWorkplace<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), `voice-note-${process.pid}-`));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Removes what processes that were killed have left. */
export async function removeLeftWorkplaces(directory = tmpdir()): Promise<void> {
  const started = Date.now() - process.uptime() * 1000;
  for (const name of await readdir(directory)) {
    const pid = Number(names.exec(name)?.[1]);
    if (Number.isNaN(pid)) continue;
    const path = join(directory, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    // In a container every process has the same id: of the one before remains what is older than this one.
    const isLeft = pid === process.pid ? mtimeMs < started : !isAlive(pid) || mtimeMs < Date.now() - oldMs;
    if (isLeft) await rm(path, { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM';
  }
}
