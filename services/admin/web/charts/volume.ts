import type { AnswerOf } from '../api/operations.ts';
import type { Language } from '../language/catalogue.ts';
import { bucketNames, type Granularity } from './buckets.ts';
import type { ChartData } from './data.ts';

interface Words {
  readonly heading: string;
  readonly incoming: string;
  readonly outgoing: string;
}

/** How many messages came and went, over time. */
export function volumeOf(
  { items }: AnswerOf<'GetMessageTrend'>,
  by: { readonly language: Language; readonly timezone: string; readonly granularity: Granularity },
  words: Words,
): ChartData {
  const nameOf = bucketNames(by.language, by.timezone, by.granularity);
  return {
    heading: words.heading,
    series: [words.incoming, words.outgoing],
    rows: items.map(({ period, incoming, outgoing }) => ({ ...nameOf(period), values: [incoming, outgoing] })),
  };
}
