import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import type { Pages } from '../api/asking.ts';
import { useTexts } from '../language/language.tsx';
import { Button } from './button.tsx';
import { useLoadMore } from './load-more.ts';
import { Loading, NotAllowed } from './page.tsx';
import { ProblemAlert } from './problem-alert.tsx';
import { texts } from './texts.ts';

export interface Column<T> {
  readonly heading: string;
  readonly cell: (item: T) => ReactNode;
  /** Shown from 768 px on. */
  readonly isWide?: boolean;
  /** Whether the column's heading is for screen readers only, for example of the row's menu. */
  readonly isHeadingHidden?: boolean;
  readonly className?: string;
}

interface Given<T> {
  /** Name of the table. */
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly pages: Pages<T>;
  readonly keyOf: (item: T) => string;
  /** In place of the table when there is nothing. */
  readonly empty: ReactNode;
}

const rowHeight = 49;
/** Rows that are loaded before they are seen. */
const ahead = 10;

/**
 * A table of a list that is read page after page while it is scrolled. Only rows that are seen are there, so that it may have
 * a hundred thousand; `aria-rowcount` says how many there are, with the row of headings.
 */
export function Table<T>({ label, columns, pages, keyOf, empty }: Given<T>) {
  const t = useTexts(texts);
  const body = useRef<HTMLDivElement>(null);
  const [offset, setOffset] = useState(0);
  const { items } = pages;
  const rows = useWindowVirtualizer({
    count: items.length,
    estimateSize: () => rowHeight,
    overscan: 6,
    scrollMargin: offset,
    getItemKey: (index) => keyOf(items[index] as T),
  });
  const isThere = items.length > 0;
  useLayoutEffect(() => {
    if (isThere) setOffset(body.current?.offsetTop ?? 0);
  }, [isThere]);
  const shown = rows.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  const { hasMore, isLoadingMore, loadMore, problem } = pages;
  const isNearEnd = hasMore && !isLoadingMore && problem === undefined && last >= items.length - ahead;
  useLoadMore(isNearEnd, loadMore);
  if (problem?.status === 403 && problem.kind === 'refused') return <NotAllowed permission={problem.access ?? ''} />;
  const alert = problem && <ProblemAlert problem={problem} onRetry={pages.retry} />;
  if (pages.isLoading) return alert ?? <Loading rows={5} />;
  if (items.length === 0) return alert ?? empty;
  const before = (shown[0]?.start ?? offset) - offset;
  const after = rows.getTotalSize() - ((shown.at(-1)?.end ?? offset) - offset);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      {alert}
      <div ref={body} className="overflow-x-auto rounded-xl border border-line bg-surface">
        <table className="table" aria-label={label} aria-rowcount={pages.total + 1}>
          <thead>
            <tr aria-rowindex={1}>
              {columns.map(({ heading, isWide = false, isHeadingHidden = false }) => (
                <th key={heading} scope="col" className={isWide ? 'hidden md:table-cell' : ''}>
                  <span className={isHeadingHidden ? 'sr-only' : ''}>{heading}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <Gap height={before} columns={columns.length} />
            {shown.map(({ index, key }) => (
              <tr key={key} ref={rows.measureElement} data-index={index} aria-rowindex={index + 2}>
                {columns.map(({ heading, cell, isWide = false, className = '' }) => (
                  <td key={heading} className={`${isWide ? 'hidden md:table-cell' : ''} ${className}`}>
                    {cell(items[index] as T)}
                  </td>
                ))}
              </tr>
            ))}
            <Gap height={after} columns={columns.length} />
          </tbody>
        </table>
      </div>
      {hasMore && (
        <Button className="justify-self-center" busy={isLoadingMore} onClick={loadMore}>
          {t('loadMore')}
        </Button>
      )}
    </div>
  );
}

/** In place of the rows that are not seen. */
function Gap({ height, columns }: { readonly height: number; readonly columns: number }) {
  if (height <= 0) return null;
  return (
    <tr aria-hidden="true">
      <td colSpan={columns} style={{ height, padding: 0 }}>
        {' '}
      </td>
    </tr>
  );
}
