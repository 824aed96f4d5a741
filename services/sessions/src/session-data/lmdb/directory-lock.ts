import { randomUUID } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { open, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

interface Holder {
  readonly token: string;
  readonly pid: number;
  /** When the process started, so that a number given anew is not taken for it. */
  readonly started: string;
  readonly host: string;
}

const touchEveryMs = 5_000;
/** A holder on another machine (or container) is gone when its file was not touched for so long. */
const silentMs = 20_000;

/** Another process works with the directory. */
export class DirectoryInUse extends Error {
  constructor(path: string, pid: number) {
    super(`${path} is in use by process ${pid}.`);
    this.name = 'DirectoryInUse';
  }
}

export interface DirectoryLock {
  readonly token: string;
  release(): Promise<void>;
}

/**
 * Makes this process the only one that works in a directory. A lock left by a killed process is taken over at once when
 * it was on this machine, and after 20 s of silence otherwise.
 *
 * @throws DirectoryInUse when its holder is alive
 */
export async function lockDirectory(directory: string): Promise<DirectoryLock> {
  const path = join(directory, 'in-use.lock');
  const mine: Holder = { token: randomUUID(), pid: process.pid, started: startOf(process.pid), host: hostname() };
  const giveUp = Date.now() + silentMs + touchEveryMs;
  while (!(await create(path, mine))) {
    const holder = readHolder(path);
    if (holder !== undefined && (holder.host === mine.host || Date.now() > giveUp) && isAlive(holder, path)) {
      throw new DirectoryInUse(directory, holder.pid);
    }
    if (holder === undefined || !isAlive(holder, path)) await replace(path, mine);
    if (readHolder(path)?.token === mine.token) break;
    await sleep(500);
  }
  const touching = setInterval(
    () => void utimes(path, new Date(), new Date()).catch(() => undefined),
    touchEveryMs,
  ).unref();
  return {
    token: mine.token,
    release: async () => {
      clearInterval(touching);
      const text = await readFile(path, 'utf8').catch(() => '');
      if (text.includes(mine.token)) await rm(path, { force: true });
    },
  };
}

async function create(path: string, mine: Holder): Promise<boolean> {
  try {
    const file = await open(path, 'wx', 0o600);
    await file.writeFile(JSON.stringify(mine));
    await file.close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    // A full disk must not keep the service from starting: what exists is overwritten in place.
    writeFileSync(path, JSON.stringify(mine), { mode: 0o600 });
    return true;
  }
}

async function replace(path: string, mine: Holder): Promise<void> {
  const next = `${path}.${mine.token}`;
  await writeFile(next, JSON.stringify(mine), { mode: 0o600 });
  await rename(next, path);
  // Somebody may have replaced it at the same moment: the last one stands, and each looks again after a while.
  await sleep(50);
}

function readHolder(path: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Holder;
  } catch {
    return undefined;
  }
}

function isAlive(holder: Holder, path: string): boolean {
  if (holder.host !== hostname()) return Date.now() - statSync(path).mtimeMs < silentMs;
  if (holder.pid === process.pid) return holder.started === startOf(process.pid);
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return holder.started === startOf(holder.pid);
}

/** Start time of a process in ticks since boot (field 22 of its stat), or nothing where there is no `/proc`. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}
