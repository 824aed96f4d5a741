/** Numbers as they are drawn, listed and saved: a row for each step, a value for each series. */
export interface ChartData {
  /** What the rows are: Day, Hour. */
  readonly heading: string;
  readonly series: readonly string[];
  readonly rows: readonly {
    readonly label: string;
    /** Below the chart, where there is little room. */
    readonly short?: string;
    /** null: there is none. */
    readonly values: readonly (number | null)[];
  }[];
}

/** A number as it is shown. */
export type Format = (value: number) => string;
