import type { Column } from './table.tsx';

interface Given<T> {
  /** Name of the table. */
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly keyOf: (row: T, at: number) => string;
  /** Around it: how high it may grow before it scrolls. */
  readonly className?: string;
}

/** A table of what is all there: results, steps, sessions. It scrolls in itself where it is too wide or too high. */
export function SmallTable<T>({ label, columns, rows, keyOf, className = '' }: Given<T>) {
  return (
    <div role="group" aria-label={label} tabIndex={0} className={`overflow-auto ${className}`}>
      <table className="table" aria-label={label} aria-rowcount={rows.length + 1}>
        <thead>
          <tr>
            {columns.map(({ heading, isWide = false, isHeadingHidden = false }) => (
              <th key={heading} scope="col" className={isWide ? 'hidden md:table-cell' : ''}>
                <span className={isHeadingHidden ? 'sr-only' : ''}>{heading}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={keyOf(row, at)}>
              {columns.map(({ heading, cell, isWide = false, className: look = '' }) => (
                <td key={heading} className={`${isWide ? 'hidden md:table-cell' : ''} ${look}`}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
