import { readFileSync, readdirSync } from 'node:fs';

const millisecondsPerTick = 10;

/** Fields of `/proc/<pid>/stat` behind the name, which may hold blanks. */
function fields(pid: number | string): string[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

/** CPU time of a process since its start, milliseconds, user and system. Linux only. */
export function cpuMs(pid: number): number {
  const stat = fields(pid);
  return (Number(stat[11]) + Number(stat[12])) * millisecondsPerTick;
}

/** CPU time of a server and its children, those that have ended included. */
export function treeCpuMs(pid: number): number {
  const stat = fields(pid);
  let total = cpuMs(pid) + (Number(stat[13]) + Number(stat[14])) * millisecondsPerTick;
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      if (Number(fields(name)[1]) === pid) total += cpuMs(Number(name));
    } catch {
      // It has ended meanwhile.
    }
  }
  return total;
}

/** CPU time of all that a process has started, by the names of the programs, milliseconds. */
export function cpuMsByName(root: number): Map<string, number> {
  const processes = all();
  const total = new Map<string, number>();
  for (const { pid, name } of processes.filter((one) => isBelow(one, root, processes))) {
    try {
      const stat = fields(pid);
      // PostgreSQL ends a process with each connection: its parent counts them.
      const ended = (Number(stat[13]) + Number(stat[14])) * millisecondsPerTick;
      total.set(name, (total.get(name) ?? 0) + cpuMs(pid) + ended);
    } catch {
      // It has ended meanwhile.
    }
  }
  return total;
}

/** A child of a process whose command line has a word. @throws Error when there is none */
export function childOf(parent: number, word: string): number {
  const found = all().find(
    (one) => one.parent === parent && readFileSync(`/proc/${one.pid}/cmdline`, 'utf8').includes(word),
  );
  if (found === undefined) throw new Error(`There is no process "${word}".`);
  return found.pid;
}

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly name: string;
}

function all(): Process[] {
  return readdirSync('/proc').flatMap((entry) => {
    if (!/^\d+$/.test(entry)) return [];
    try {
      const name = readFileSync(`/proc/${entry}/comm`, 'utf8').trim();
      return [{ pid: Number(entry), parent: Number(fields(entry)[1]), name }];
    } catch {
      return [];
    }
  });
}

function isBelow({ parent }: Process, root: number, processes: readonly Process[]): boolean {
  if (parent === root) return true;
  const above = processes.find(({ pid }) => pid === parent);
  return above !== undefined && above.parent !== above.pid && isBelow(above, root, processes);
}

/** Memory that a process holds, MiB. */
export function residentMiB(pid: number): number {
  const match = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(match?.[1] ?? 0) / 1024;
}
