import type { BenchResults } from './results.ts';

const number = (value: number, digits = 1): string => (Number.isNaN(value) ? '–' : value.toFixed(digits));

/** The results as text, ratios against the library alone first. */
export function table(results: BenchResults): string {
  const head = [
    'profiles',
    'raw sends/s',
    'gateway sends/s',
    'ratio',
    'CPU ms/send',
    'of it PostgreSQL',
    'commits/send',
    'p50 ms',
    'p99 ms',
  ];
  const rows = Object.values(results.gateway).map((run) => {
    const raw = results.raw[run.profiles]?.sendsPerSecond ?? Number.NaN;
    return [
      String(run.profiles),
      number(raw, 0),
      number(run.sendsPerSecond, 0),
      number(run.sendsPerSecond / raw, 2),
      number(run.cpuMsPerSend, 2),
      number(run.postgresCpuMsPerSend, 2),
      number(run.commitsPerSend, 2),
      number(run.p50),
      number(run.p99),
    ];
  });
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    cells.map((cell, column) => cell.padStart(widths[column] ?? 0)).join('  ');
  return [
    line(head),
    ...rows.map(line),
    '',
    `added latency at 100 sends/s over the raw send: p50 ${number(results.added.p50)} ms, p99 ${number(results.added.p99)} ms`,
    `webhook lag at ${number(results.webhookLag.eventsPerSecond, 0)} events/s: p50 ${number(results.webhookLag.p50)} ms, p99 ${number(results.webhookLag.p99)} ms`,
    `events appended: ${number(results.eventsAppendedPerSecond, 0)} a second`,
    `memory per linked profile: ${number(results.memoryPerProfileMiB)} MiB`,
    `start-up: first ${number(results.startUpMs.first, 0)} ms, again ${number(results.startUpMs.again, 0)} ms`,
  ].join('\n');
}
