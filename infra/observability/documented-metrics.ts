/** A row of docs/metrics.md. */
export interface MetricRow {
  readonly name: string;
  readonly type: string;
  readonly labels: readonly string[];
  readonly meaning: string;
}

/** The table of docs/metrics.md. */
export const documentedMetrics = (text: string): MetricRow[] =>
  [...text.matchAll(/^\| `(\w+)` +\| (\w+) +\| ([^|]*?) +\| (.*?) +\|$/gm)].map(
    ([, name = '', type = '', labels = '', meaning = '']) => ({
      name,
      type,
      labels: labels === '–' ? [] : labels.split(', '),
      meaning,
    }),
  );
