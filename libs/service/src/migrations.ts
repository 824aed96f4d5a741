import { createHash } from 'node:crypto';
import { inSchema } from '@messaging-gateway/event-sourcing';
import type { ClientBase } from 'pg';
import type { SqlMigration } from './module.ts';

/** Migrations of one origin: of the journal, of the buses, of the service. */
export interface MigrationSet {
  readonly origin: string;
  readonly migrations: readonly SqlMigration[];
}

interface Applied {
  name: string;
  checksum: string;
}

/** The first key is the gateway's own, and held by an earlier release for all schemas at once: that one is waited for. */
const lock = 'select pg_advisory_lock_shared(7260815), pg_advisory_lock(7260815, hashtext($1))';
const unlock = 'select pg_advisory_unlock(7260815, hashtext($1)), pg_advisory_unlock_shared(7260815)';

/**
 * Makes the schema when it is absent and applies what is missing in one transaction: all of it or nothing.
 * Several processes may start at once: one migrates, the others wait. Different schemas do not wait for each other.
 *
 * @throws Error when a step that was applied has been changed since, or when a step fails
 * @see docs/decisions/0120-own-migration-runner.md
 */
export async function migrate(client: ClientBase, schema: string, sets: readonly MigrationSet[]): Promise<void> {
  await client.query(lock, [schema]);
  try {
    await client.query('begin');
    await applyMissing(client, schema, sets);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  } finally {
    await client.query(unlock, [schema]);
  }
}

async function applyMissing(client: ClientBase, schema: string, sets: readonly MigrationSet[]): Promise<void> {
  await client.query(`create schema if not exists "${schema}"`);
  await client.query(
    `create table if not exists "${schema}".migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())`,
  );
  const { rows } = await client.query<Applied>(`select name, checksum from "${schema}".migrations`);
  const applied = new Map(rows.map((row) => [row.name, row.checksum]));
  for (const { origin, migrations } of sets) {
    for (const step of migrations) await apply(client, schema, { ...step, name: `${origin}/${step.name}` }, applied);
  }
}

async function apply(
  client: ClientBase,
  schema: string,
  step: SqlMigration,
  applied: ReadonlyMap<string, string>,
): Promise<void> {
  const sql = inSchema(step.sql, schema);
  const checksum = createHash('sha256').update(sql).digest('hex').slice(0, 16);
  const before = applied.get(step.name);
  if (before === checksum) return;
  if (before !== undefined)
    throw new Error(`The migration ${step.name} of ${schema} was changed after it had been applied.`);
  try {
    await client.query(`set local search_path to "${schema}", public`);
    await client.query(sql);
    await client.query(`insert into "${schema}".migrations (name, checksum) values ($1, $2)`, [step.name, checksum]);
  } catch (error) {
    throw new Error(`The migration ${step.name} of ${schema} failed: ${(error as Error).message}`, { cause: error });
  }
}
