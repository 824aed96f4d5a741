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
 * Makes journals from another cluster this cluster's own: what they hold comes before whatever is written from now on.
 * Run it while nothing writes, in a transaction of the caller's or alone. Journals of this cluster stay as they are.
 *
 * @param always also a journal that was written here: it was copied back from a backup
 */
export async function adoptCluster(
  database: Pool | ClientBase,
  schemas: readonly string[],
  always = false,
): Promise<void> {
  for (const schema of schemas) {
    const { rows } = await database.query<{ generation: number }>(
      inSchema(
        `UPDATE {schema}.journal j SET generation = j.generation + 1, system_identifier = c.system_identifier::text
           FROM pg_control_system() c WHERE $1 OR j.system_identifier <> c.system_identifier::text RETURNING j.generation`,
        schema,
      ),
      [always],
    );
    const generation = rows[0]?.generation;
    if (generation !== undefined) {
      await database.query(
        inSchema(`ALTER TABLE {schema}.events ALTER COLUMN generation SET DEFAULT ${generation}`, schema),
      );
    }
  }
}
