import { useEffect, useRef, useState } from 'react';
import type { ChartData, Format } from './data.ts';
import { ticks } from './ticks.ts';

const height = 220;
const edge = { top: 12, end: 12, bottom: 26, start: 48 };
/** Room for a label below, pixels. */
const labelRoom = 84;

/** Series are told apart by colour and by stroke. */
const looks = [
  { className: 'text-accent', dashes: undefined },
  { className: 'text-warn', dashes: '6 4' },
] as const;
const lookOf = (index: number) => looks[index % looks.length] ?? looks[0];

/** Width of an element, in pixels; 0 until it is there. */
function useWidth() {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const watching = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    if (ref.current !== null) watching.observe(ref.current);
    return () => watching.disconnect();
  }, []);
  return { ref, width };
}

interface Given {
  readonly label: string;
  readonly data: ChartData;
  readonly format: Format;
}

/** Lines over the rows, from left to right in every language; what cannot see it has the table. */
export function LineChart({ label, data, format }: Given) {
  const { ref, width } = useWidth();
  return (
    <div ref={ref} className="min-w-0" dir="ltr">
      <svg role="img" aria-label={label} width="100%" height={height} className="block overflow-hidden">
        {width > 0 && <Drawing data={data} format={format} width={width} />}
      </svg>
      {data.series.length > 1 && (
        <p aria-hidden="true" className="flex flex-wrap justify-center gap-4 text-xs">
          {data.series.map((name, index) => (
            <span key={name} className="inline-flex items-center gap-2">
              <svg width="24" height="8" className={lookOf(index).className}>
                <path d="M0 4H24" stroke="currentColor" strokeWidth="2" strokeDasharray={lookOf(index).dashes} />
              </svg>
              {name}
            </span>
          ))}
        </p>
      )}
    </div>
  );
}

function Drawing({ data, format, width }: Omit<Given, 'label'> & { readonly width: number }) {
  const { series, rows } = data;
  const lines = ticks(Math.max(0, ...rows.flatMap(({ values }) => values.map((value) => value ?? 0))));
  const top = lines.at(-1) ?? 1;
  const inner = { width: width - edge.start - edge.end, height: height - edge.top - edge.bottom };
  const band = inner.width / Math.max(1, rows.length);
  const x = (index: number) => edge.start + band * (index + 0.5);
  const y = (value: number) => edge.top + inner.height * (1 - value / top);
  const every = Math.max(1, Math.ceil((rows.length * labelRoom) / inner.width));
  return (
    <>
      {lines.map((line) => (
        <g key={line}>
          <path d={`M${edge.start} ${y(line)}H${width - edge.end}`} className="stroke-line" />
          <text x={edge.start - 6} y={y(line)} dy="0.32em" textAnchor="end" className="fill-muted text-[0.6875rem]">
            {format(line)}
          </text>
        </g>
      ))}
      {rows.map(({ label, short }, index) =>
        index % every === 0 ? (
          <text
            key={index}
            x={x(index)}
            y={height - 8}
            textAnchor={index === 0 && rows.length > 1 ? 'start' : 'middle'}
            className="fill-muted text-[0.6875rem]"
          >
            {short ?? label}
          </text>
        ) : null,
      )}
      {series.map((name, at) => (
        <g key={name} className={lookOf(at).className}>
          <path
            d={pathOf(rows.map(({ values }, index) => [x(index), values[at] ?? null, y]))}
            fill="none"
            stroke="currentColor"
            strokeWidth="2"
            strokeLinejoin="round"
            strokeDasharray={lookOf(at).dashes}
          />
          {rows.length <= 62 &&
            rows.map(({ values }, index) => {
              const value = values[at] ?? null;
              return value === null ? null : (
                <circle key={index} cx={x(index)} cy={y(value)} r="2.5" fill="currentColor" />
              );
            })}
        </g>
      ))}
      {rows.map(({ label, values }, index) => (
        <rect
          key={index}
          x={edge.start + band * index}
          y={edge.top}
          width={band}
          height={inner.height}
          className="fill-transparent hover:fill-ink/5"
        >
          <title>
            {[label, ...series.map((name, at) => `${name}: ${wordsOf(values[at] ?? null, format)}`)].join('\n')}
          </title>
        </rect>
      ))}
    </>
  );
}

const wordsOf = (value: number | null, format: Format): string => (value === null ? '–' : format(value));

type Point = readonly [x: number, value: number | null, y: (value: number) => number];

/** A line through the points; where there is no value, it is broken. */
function pathOf(points: readonly Point[]): string {
  let isDrawing = false;
  return points
    .map(([x, value, y]) => {
      if (value === null) {
        isDrawing = false;
        return '';
      }
      const command = isDrawing ? 'L' : 'M';
      isDrawing = true;
      return `${command}${x.toFixed(1)} ${y(value).toFixed(1)}`;
    })
    .join('');
}
