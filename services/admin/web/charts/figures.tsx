import { useId, type ReactNode } from 'react';
import type { ChartData, Format } from './data.ts';
import { LineChart } from './line-chart.tsx';
import { SaveCsv } from './save-csv.tsx';
import { PageLink } from '../kit/link.tsx';
import { useTexts } from '../language/language.tsx';
import { texts } from './texts.ts';

interface Given {
  /** Heading of the figure, and name of its table. */
  readonly title: string;
  readonly data: ChartData;
  readonly format: Format;
  /** Where the label of a row leads. */
  readonly placeOf?: ((index: number) => string) | undefined;
}

/** Numbers over time: drawn, and as a table beside it. */
export function TimeFigure({ title, data, format, level = 3 }: Given & { readonly level?: 2 | 3 }) {
  return (
    <Figure title={title} data={data} level={level}>
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <LineChart label={title} data={data} format={format} />
        <Scrolled title={title}>
          <Numbers title={title} data={data} format={format} />
        </Scrolled>
      </div>
    </Figure>
  );
}

/** Numbers by kind: a table whose rows have bars, as long as their share of the largest one. */
export function BarFigure({ title, data, format, placeOf }: Given) {
  return (
    <Figure title={title} data={data}>
      <Scrolled title={title}>
        <Numbers title={title} data={data} format={format} hasBars={data.series.length === 1} placeOf={placeOf} />
      </Scrolled>
    </Figure>
  );
}

interface FigureGiven extends Pick<Given, 'title' | 'data'> {
  /** Of its heading. */
  readonly level?: 2 | 3;
  readonly children: ReactNode;
}

function Figure({ title, data, level = 3, children }: FigureGiven) {
  const id = useId();
  const Heading = `h${level}` as const;
  return (
    <figure className="card grid grid-cols-[minmax(0,1fr)] content-start gap-3" aria-labelledby={id}>
      <figcaption className="flex items-center justify-between gap-2">
        <Heading id={id} className="font-semibold">
          {title}
        </Heading>
        <SaveCsv name={title} data={data} />
      </figcaption>
      {children}
    </figure>
  );
}

/** Long tables scroll, by keys too. */
function Scrolled({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div role="group" aria-label={title} tabIndex={0} className="max-h-64 overflow-auto rounded-lg border border-line">
      {children}
    </div>
  );
}

interface NumbersGiven extends Given {
  readonly hasBars?: boolean;
}

function Numbers({ title, data, format, placeOf, hasBars = false }: NumbersGiven) {
  const t = useTexts(texts);
  const { heading, series, rows } = data;
  const highest = Math.max(0, ...rows.map(({ values }) => values[0] ?? 0));
  return (
    <table className="table" aria-label={title}>
      <thead className="sticky top-0 bg-surface">
        <tr>
          <th scope="col">{heading}</th>
          {series.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
          {hasBars && (
            <th scope="col" className="w-2/5">
              <span className="sr-only">{t('share')}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ label, values }, index) => (
          <tr key={index}>
            <th scope="row" className="font-normal text-ink">
              {placeOf ? (
                <PageLink to={placeOf(index)}>
                  <bdi>{label}</bdi>
                </PageLink>
              ) : (
                <bdi>{label}</bdi>
              )}
            </th>
            {series.map((name, at) => (
              <td key={name} className="tabular-nums">
                {values[at] === null || values[at] === undefined ? '–' : format(values[at])}
              </td>
            ))}
            {hasBars && (
              <td>
                <Bar part={highest === 0 ? 0 : (values[0] ?? 0) / highest} />
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Bar({ part }: { readonly part: number }) {
  return (
    <svg aria-hidden="true" width="100%" height="10" className="block rounded-sm text-accent rtl:-scale-x-100">
      <rect width={`${part * 100}%`} height="10" rx="2" fill="currentColor" />
    </svg>
  );
}
