import type { ChartData } from './data.ts';

/** Counts by word, the largest first. */
export function barsOf<W extends string>(
  heading: string,
  series: string,
  counts: Readonly<Record<W, number>>,
  wordOf: (word: W) => string,
): ChartData {
  const rows = (Object.entries(counts) as [W, number][]).toSorted(([, one], [, other]) => other - one);
  return { heading, series: [series], rows: rows.map(([word, count]) => ({ label: wordOf(word), values: [count] })) };
}
