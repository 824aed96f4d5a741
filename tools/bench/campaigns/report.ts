import { percentile } from '../percentile.ts';
import type { Beside } from './beside.ts';
import type { Sends } from './broadcasting.ts';

export interface CampaignsResults {
  readonly at: string;
  readonly node: string;
  readonly profiles: number;
  /** Recipients of each broadcast. */
  readonly people: number;
  readonly modes: { readonly mode: string; readonly figures: CampaignsFigures }[];
}

export interface CampaignsFigures {
  /** Turn by turn. */
  readonly direct: readonly Sends[];
  readonly broadcast: readonly Sends[];
  readonly beside?: Beside;
}

const rows: readonly (readonly [keyof Sends, string])[] = [
  ['perSecond', 'messages/s'],
  ['cpuMsEach', 'CPU ms/message'],
  ['postgresCpuMsEach', '  of PostgreSQL'],
  ['commitsEach', 'commits/message'],
];

/** The medians of all turns and their ratios, as text. */
export function campaignsTable({ profiles, people, modes }: CampaignsResults): string {
  return modes
    .flatMap(({ mode, figures: { direct, broadcast, beside } }) => {
      const line = (cells: readonly string[]): string =>
        cells.map((cell, column) => (column === 0 ? cell.padEnd(20) : cell.padStart(14))).join('');
      const median = (of: readonly Sends[], part: keyof Sends): number =>
        percentile(
          of.map((sends) => sends[part]),
          0.5,
        );
      return [
        `${mode}: ${profiles} broadcasts on ${profiles} profiles, ${people} people each, ${direct.length} turns`,
        line(['', 'direct sends', 'broadcasts', 'ratio']),
        ...rows.map(([part, title]) => {
          const [one, other] = [median(direct, part), median(broadcast, part)];
          return line([title, one.toFixed(2), other.toFixed(2), (other / one).toFixed(2)]);
        }),
        ...(beside === undefined ? [] : besideLines(beside)),
      ];
    })
    .join('\n');
}

const besideLines = ({ alone, beside, letPass }: Beside): string[] => [
  `a direct send beside a broadcast of its profile: p50 ${beside.p50.toFixed(1)} ms, alone ${alone.p50.toFixed(1)} ms, ` +
    `ratio ${(beside.p50 / alone.p50).toFixed(2)}; p99 ${beside.p99.toFixed(1)} and ${alone.p99.toFixed(1)} ms`,
  `messages of the broadcast that went out between its request and its own sending: ` +
    letPass.map((count, number) => `${number} beside ${count} of them`).join(', '),
];
