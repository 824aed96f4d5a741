import type { JournalEntry } from './journal-entry.ts';

/** Rows of a parameterised query. `{schema}.<table>` names a table of the service. */
export interface ViewSql {
  query<Row extends object = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** A view that follows the journal a moment behind, written in one transaction with its checkpoint. */
export interface AsyncView {
  readonly name: string;
  /** The view's own tables, which a rebuild makes anew from the journal. */
  readonly tables: readonly string[];
  /**
   * Writes what some entries mean for the view, in their order, through `sql` only and with tables named as
   * `{schema}.<table>`: a rebuild puts the tables of the new view there. A throw rolls back, and all come again.
   */
  handle(entries: readonly JournalEntry[], sql: ViewSql): Promise<void>;
}

export const asyncView = (view: AsyncView): AsyncView => view;
