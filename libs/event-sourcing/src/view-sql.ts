import type { Pool } from 'pg';
import { inSchema } from './journal-migration.ts';

/** Rows of a parameterised query. `{schema}.<table>` names a table of the service. */
export interface ViewSql {
  query<Row extends object = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** Queries with `{schema}.<table>` put in place. */
export const viewSql = (pool: Pool, schema: string): ViewSql => ({
  query: async <Row extends object>(text: string, values: readonly unknown[] = []) =>
    (await pool.query<Row>(inSchema(text, schema), [...values])).rows,
});
