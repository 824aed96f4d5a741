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

/** Memory that a process holds, MiB. */
export function residentMiB(pid: number): number {
  const match = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(match?.[1] ?? 0) / 1024;
}
