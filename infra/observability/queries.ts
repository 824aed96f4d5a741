import { parser } from '@prometheus-io/lezer-promql';

/** A metric in a query, with the labels that it is narrowed or grouped by. */
export interface Selected {
  readonly metric: string;
  readonly labels: readonly string[];
}

/** Grafana puts a duration in its place. */
const withIntervals = (query: string): string => query.replaceAll('$__rate_interval', '5m');

/**
 * Metrics and labels that a PromQL query asks for.
 *
 * @throws Error when it is not well formed
 */
export function selectedBy(query: string): Selected[] {
  const text = withIntervals(query);
  const found: { metric: string; labels: string[] }[] = [];
  const grouping: string[] = [];
  parser.parse(text).iterate({
    enter: ({ type, from, to, node }) => {
      const part = text.slice(from, to);
      if (type.isError) throw new Error(`Not PromQL at ${from}: ${query}`);
      if (type.name === 'VectorSelector') found.push({ metric: part.split(/[{\s]/)[0] ?? '', labels: [] });
      if (type.name !== 'LabelName') return;
      if (node.parent?.type.name === 'GroupingLabels') grouping.push(part);
      else found.at(-1)?.labels.push(part);
    },
  });
  return found.map(({ metric, labels }) => ({ metric, labels: [...labels, ...grouping] }));
}
