import type { Sql } from '@messaging-gateway/service';

/** A number that is kept as changes, by what it is grouped by (see docs/decisions/0390-numbers-of-conversations.md). */
export interface KeptNumber {
  readonly table: string;
  /** Columns of the table but `change`. */
  readonly groups: string;
  /** Rows of groups and change that say what is there, as the table should sum up to. */
  readonly counted: string;
}

/**
 * Puts the changes of each group together into one. Each row is taken by one replica only, and its change is written again
 * in the sum: at any moment the sums are right.
 */
export async function addUp(sql: Sql, { table, groups }: KeptNumber): Promise<void> {
  const of = (row: string): string => groups.replaceAll(/\w+/g, (column) => `${row}.${column}`);
  await sql.query(
    `WITH many AS (
       SELECT ${groups} FROM ${table} GROUP BY ${groups} HAVING count(*) > 1
     ), gone AS (
       DELETE FROM ${table} c USING many m WHERE (${of('c')}) = (${of('m')}) RETURNING c.*
     )
     INSERT INTO ${table} SELECT ${groups}, sum(change) FROM gone GROUP BY ${groups} HAVING sum(change) <> 0`,
  );
}

/**
 * Counted and told in one snapshot: what differs was told wrongly, as when a conversation came while its name became an alias.
 * By one replica at a time: two would put the same difference right twice.
 *
 * @returns how many numbers were wrong
 */
export async function putRight(sql: Sql, { table, groups, counted }: KeptNumber): Promise<number> {
  return sql.transaction(async (alone) => {
    await alone.query('SELECT pg_advisory_xact_lock(hashtextextended($1 || current_schema(), 0))', [
      `counts ${table} `,
    ]);
    const corrections = await alone.query(
      `INSERT INTO ${table}
       SELECT ${groups}, sum(change) FROM (
         SELECT ${groups}, -change AS change FROM ${table} UNION ALL ${counted}
       ) difference (${groups}, change)
       GROUP BY ${groups} HAVING sum(change) <> 0 RETURNING change`,
    );
    return corrections.length;
  });
}
