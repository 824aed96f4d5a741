import type { ClientBase } from 'pg';

/**
 * The version of the schemas that this version of the program expects. It grows by one with each step that takes something away
 * (`SqlMigration.contract`), in the version that does not use it any more.
 */
export const schemaVersion = 1;

/** Key of the advisory lock that stands for "this database is served". */
export const servingLock = 7_340_021;
/** How the connection that holds it is called. Earlier versions say no number. */
export const servingName = `data lock v${schemaVersion}`;

/** Versions of the processes that work on the database now; one whose name may not be read counts as old. */
const servingText = `
  SELECT coalesce(substring(a.application_name FROM ' v(\\d+)$')::int, 0) AS version, count(*)::int AS processes
    FROM pg_locks l LEFT JOIN pg_stat_activity a USING (pid)
   WHERE l.locktype = 'advisory' AND l.granted AND l.classid = 0 AND l.objid = $1 AND l.objsubid = 1
     AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
   GROUP BY 1`;

/** @returns how many processes that expect less than this version of the schemas work on the database */
export async function processesBefore(client: ClientBase, version: number): Promise<number> {
  const { rows } = await client.query<{ version: number; processes: number }>(servingText, [servingLock]);
  return rows.filter((row) => row.version < version).reduce((sum, row) => sum + row.processes, 0);
}
