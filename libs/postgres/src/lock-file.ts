import { existsSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The fate of the server that wrote a cluster's lock file: it runs; it was killed and whoever started it has not
 * collected it yet, so that its number still counts as that of a process; it is gone, or its number is another's now.
 */
export type Left =
  | { readonly state: 'running' | 'uncollected'; readonly pid: number; readonly port: number }
  | { readonly state: 'gone' };

/** Reads `postmaster.pid`: the number in its first line, the port in its fourth. */
export function leftServer(cluster: string): Left {
  const file = join(cluster, 'postmaster.pid');
  if (!existsSync(file)) return { state: 'gone' };
  const lines = readFileSync(file, 'utf8').split('\n');
  const [pid, port] = [Number(lines[0]), Number(lines[3])];
  if (!(pid > 0 && port > 0) || !alive(pid)) return { state: 'gone' };
  if (isUncollected(pid)) return { state: 'uncollected', pid, port };
  return worksElsewhere(pid, cluster) ? { state: 'gone' } : { state: 'running', pid, port };
}

export function alive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** A process that has ended and is kept in the table of processes for its parent. Known on Linux only. */
function isUncollected(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may hold anything: the state follows the last bracket.
    return /^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2));
  } catch {
    return false;
  }
}

/** A server works in its cluster's folder; who does not has got the number of one that is gone. Known on Linux only. */
function worksElsewhere(pid: number, cluster: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) !== realpathSync(cluster);
  } catch {
    return false;
  }
}
