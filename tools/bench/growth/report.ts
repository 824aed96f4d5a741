import type { Stored } from './grown.ts';
import type { Growth } from './measure.ts';

export interface GrowthResults {
  readonly at: string;
  readonly node: string;
  readonly small: Stored;
  readonly large: Stored;
  readonly kinds: readonly Growth[];
}

/** A median may grow so much, where the requirement names it (issue 5, point 9). */
const most = 1.2;

const head = ['', 'p50 ms', 'p50 ms', 'ratio', 'CPU ms', 'CPU ms', 'ratio', 'p99 ms', 'p99 ms', ''];

/** The results as text: one line for each kind of request, with the ratio of the medians. */
export function growthTable({ small, large, kinds }: GrowthResults): string {
  const rows = kinds.map(({ name, isBounded, small: few, large: many, ratio }) => [
    name,
    few.p50.toFixed(2),
    many.p50.toFixed(2),
    ratio.toFixed(2),
    few.cpu.toFixed(2),
    many.cpu.toFixed(2),
    (many.cpu / few.cpu).toFixed(2),
    few.p99.toFixed(1),
    many.p99.toFixed(1),
    isBounded ? (ratio <= most ? 'reached' : 'NOT REACHED') : '',
  ]);
  const sizes = [
    '',
    String(small.messages),
    String(large.messages),
    '',
    String(small.messages),
    String(large.messages),
    '',
    String(small.messages),
    String(large.messages),
    `at most ${most}`,
  ];
  const all = [head, sizes, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all
    .map((row) =>
      row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  '),
    )
    .join('\n');
}
