import { percentile } from '../percentile.ts';
import type { RawResult } from '../results.ts';

/** Of one turn of one version. Processor time is of the gateway's process and PostgreSQL, milliseconds. */
export interface Figures {
  readonly sendsPerSecond: number;
  readonly cpuMsPerSend: number;
  readonly servicesCpuMsPerSend: number;
  readonly postgresCpuMsPerSend: number;
  /** Of a send at 100 a second, milliseconds. */
  readonly pacedP50: number;
  /** From the network's stanza to the webhook. */
  readonly receivedPerSecond: number;
  readonly cpuMsPerReceived: number;
  readonly postgresCpuMsPerReceived: number;
}

export interface Comparison {
  /** The other version. */
  readonly name: string;
  readonly profiles: number;
  readonly clients: number;
  /** The library with one send in flight on each socket. */
  readonly alone: RawResult;
  /** The library with as many as the gateway. */
  readonly saturated: RawResult;
  readonly before: readonly Figures[];
  readonly after: readonly Figures[];
}

const rows: readonly (readonly [keyof Figures, string])[] = [
  ['sendsPerSecond', 'sends/s'],
  ['cpuMsPerSend', 'CPU ms/send'],
  ['servicesCpuMsPerSend', '  of the process'],
  ['postgresCpuMsPerSend', '  of PostgreSQL'],
  ['pacedP50', 'p50 ms at 100 sends/s'],
  ['receivedPerSecond', 'received/s'],
  ['cpuMsPerReceived', 'CPU ms/received'],
  ['postgresCpuMsPerReceived', '  of PostgreSQL'],
];

/** Both versions side by side, the medians of their turns, with the ratio of this version to the other one. */
export function comparison({ name, profiles, clients, alone, saturated, before, after }: Comparison): string {
  const median = (taken: readonly Figures[], part: keyof Figures): number =>
    percentile(
      taken.map((figures) => figures[part]),
      0.5,
    );
  const line = (cells: readonly string[]): string =>
    cells.map((cell, column) => (column === 0 ? cell.padEnd(24) : cell.padStart(14))).join('');
  const added = (taken: readonly Figures[]): number => median(taken, 'pacedP50') - alone.p50;
  return [
    `${profiles} profiles, ${clients} requests in flight for each, ${after.length} turns`,
    line(['', name, 'this version', 'ratio']),
    ...rows.map(([part, title]) => {
      const [one, other] = [median(before, part), median(after, part)];
      return line([title, one.toFixed(2), other.toFixed(2), (other / one).toFixed(2)]);
    }),
    line(['added p50 at 100 sends/s', added(before).toFixed(2), added(after).toFixed(2)]),
    `the library alone: ${alone.sendsPerSecond.toFixed(0)} sends/s with one in flight on each socket (p50 ${alone.p50.toFixed(1)} ms), ` +
      `${saturated.sendsPerSecond.toFixed(0)}/s with ${clients} (${saturated.cpuMsPerSend.toFixed(2)} ms of processor time)`,
  ].join('\n');
}
