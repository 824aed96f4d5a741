import type { ClientBase, Pool } from 'pg';
import { inSchema } from './journal-migration.ts';

/** The database lies in another PostgreSQL cluster than its journals were written in. */
export class OtherCluster extends Error {
  constructor(schemas: readonly string[]) {
    super(
      `The journals of ${schemas.join(', ')} were written in another PostgreSQL cluster, whose transaction ids say nothing here. ` +
        'Nothing was started. Bring the data over with `npm run restore`, or, if it is complete, run `npm run restore -- --adopt`.',
    );
    this.name = 'OtherCluster';
  }
}

/**
 * Checks that the journals were written in this cluster: their order is told by its transaction ids.
 *
 * @throws OtherCluster naming the journals that were not
 */
export async function assertSameCluster(pool: Pool, schemas: readonly string[]): Promise<void> {
  const strange: string[] = [];
  for (const schema of schemas) {
    const { rows } = await pool.query<{ same: boolean }>(
      inSchema(
        'SELECT j.system_identifier = c.system_identifier::text AS same FROM {schema}.journal j, pg_control_system() c',
        schema,
      ),
    );
    if (rows[0]?.same !== true) strange.push(schema);
  }
  if (strange.length > 0) throw new OtherCluster(strange);
}

/**
 * Makes journals this cluster's own, whether they were written in another one or come from an earlier state of this one:
 * what they hold comes before whatever is written from now on, and is told once more. Run it while nothing writes, in a
 * transaction of the caller's or alone.
 */
export async function adoptCluster(database: Pool | ClientBase, schemas: readonly string[]): Promise<void> {
  for (const schema of schemas) {
    const run = (text: string) => database.query<{ generation: number }>(inSchema(text, schema));
    if (await knowsLines(database, schema)) {
      await run(
        `UPDATE {schema}.journal j SET generation = j.generation + 1, begun = j.generation + 1, timeline = NULL,
                system_identifier = c.system_identifier::text FROM pg_control_system() c`,
      );
    } else {
      const { rows } = await run(
        `UPDATE {schema}.journal j SET generation = j.generation + 1, system_identifier = c.system_identifier::text
           FROM pg_control_system() c RETURNING j.generation`,
      );
      await run(`ALTER TABLE {schema}.events ALTER COLUMN generation SET DEFAULT ${rows[0]?.generation ?? 1}`);
    }
  }
}

/** Whether the schema has the tables of lines; those of a backup from before have not: the services migrate it when they start. */
async function knowsLines(database: Pool | ClientBase, schema: string): Promise<boolean> {
  const { rows } = await database.query<{ knows: boolean }>(
    inSchema(
      `SELECT EXISTS (SELECT FROM pg_attribute WHERE attrelid = '{schema}.journal'::regclass AND attname = 'begun') AS knows`,
      schema,
    ),
  );
  return rows[0]?.knows === true;
}
