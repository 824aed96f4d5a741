import type { BenchResults, ModeResult } from './results.ts';

const number = (value: number | undefined, digits = 1): string =>
  value === undefined || Number.isNaN(value) ? '–' : value.toFixed(digits);

const head = [
  'mode',
  'profiles',
  'clients',
  'raw sends/s',
  'gateway sends/s',
  'ratio',
  'CPU ms/send',
  'PostgreSQL',
  'brokers',
  'commits/send',
  'p50 ms',
  'p99 ms',
];

/** The results as text: both ways of running against the library alone, then what the brokers cost. */
export function table(results: BenchResults): string {
  const { standalone, distributed } = results;
  const rows = [
    ...standalone.runs.map((run) => rowOf('standalone', run)),
    ...(distributed?.runs ?? []).map((run) => rowOf('distributed', run)),
  ];
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    cells.map((cell, column) => cell.padStart(widths[column] ?? 0)).join('  ');
  return [
    line(head),
    ...rows.map(line),
    'clients: requests in flight for each profile; the library alone has as many sends in flight on each socket',
    '',
    ...linesOf('standalone', standalone),
    ...(distributed === undefined
      ? []
      : [...linesOf('distributed', distributed), ...brokerLines(standalone, distributed)]),
    `events appended: ${number(results.eventsAppendedPerSecond, 0)} a second`,
    `start-up of the single process: first ${number(results.startUpMs.first, 0)} ms, again ${number(results.startUpMs.again, 0)} ms`,
  ].join('\n');
}

function rowOf(mode: string, { raw, gateway }: ModeResult['runs'][number]): string[] {
  return [
    mode,
    String(gateway.profiles),
    String(gateway.clients),
    number(raw.sendsPerSecond, 0),
    number(gateway.sendsPerSecond, 0),
    number(gateway.sendsPerSecond / raw.sendsPerSecond, 2),
    number(gateway.cpuMsPerSend, 2),
    number(gateway.postgresCpuMsPerSend, 2),
    number(gateway.brokersCpuMsPerSend, 2),
    number(gateway.commitsPerSend, 2),
    number(gateway.p50),
    number(gateway.p99),
  ];
}

const linesOf = (mode: string, { added, webhookLag, memoryPerProfileMiB }: ModeResult): string[] => [
  `${mode}: added latency at 100 sends/s over the raw send p50 ${number(added.p50)} ms, p99 ${number(added.p99)} ms; ` +
    `webhook lag at ${number(webhookLag.eventsPerSecond, 0)} events/s p50 ${number(webhookLag.p50)} ms, p99 ${number(webhookLag.p99)} ms; ` +
    `${number(memoryPerProfileMiB)} MiB per linked profile`,
];

/** Lines on what a send costs more over the brokers, by number of profiles. */
const brokerLines = (standalone: ModeResult, distributed: ModeResult): string[] =>
  distributed.runs.map(({ gateway }, index) => {
    const alone = standalone.runs[index]?.gateway;
    const more = (part: 'p50' | 'cpuMsPerSend'): string => number(alone && gateway[part] - alone[part]);
    return `over the brokers a send with ${gateway.profiles} profiles and ${gateway.clients} clients of each costs ${more('p50')} ms of p50 and ${more('cpuMsPerSend')} ms of CPU more`;
  });
