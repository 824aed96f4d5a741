import { journalLine, journalMigrations, type NewLine } from '@messaging-gateway/event-sourcing';
import { consumerMigrations } from '@messaging-gateway/messaging';
import type { Logger } from '@messaging-gateway/runtime';
import type { EntityManager, EntitySchema } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';
import type { Entities } from './entities/entity-managers.ts';
import { migrate } from './migrating/migrate.ts';
import type { MigrationSet } from './migrating/migration-step.ts';
import type { SqlMigration } from './module.ts';
import type { Sql } from './sql.ts';
import { carryOutPatiently } from './patient-statement.ts';
import { openPool } from './pool.ts';
import { sqlOn } from './sql.ts';

export interface DatabaseOptions {
  readonly url: string;
  readonly schema: string;
  /** Default: none. */
  readonly entities?: readonly EntitySchema[];
  readonly migrations: readonly SqlMigration[];
  readonly log: Logger;
  /** Ends a migration that is under way. Default: nothing does. */
  readonly signal?: AbortSignal | undefined;
  /** Connections of the service, at most. Opened when they are needed. Default 6; two more with entities. */
  readonly connections?: number;
}

/** The schema of one service: the only one that it touches. */
export interface ServiceDatabase {
  readonly pool: Pool;
  readonly sql: Sql;
  /** See `ServiceTools`. */
  readonly patiently: (statement: string, signal: AbortSignal) => Promise<void>;
  /** See `ServiceTools`. */
  readonly em: (organizationId?: string) => EntityManager;
  readonly close: () => Promise<void>;
}

/**
 * Brings the schema up to date and opens it. Statements find the tables of the schema without its name.
 *
 * @throws Unavailable when the database does not answer
 */
export async function openDatabase(options: DatabaseOptions): Promise<ServiceDatabase> {
  const { url, schema, log, signal } = options;
  const sets = migrationSets(options.migrations);
  const { serverVersion } = await migrate({ url, schema, sets, log, signal });
  const session = sessionOptions(schema, serverVersion);
  const { entities = [] } = options;
  const connections = options.connections ?? (entities.length > 0 ? 8 : 6);
  const pool = openPool({ url, session, connections, name: schema, log });
  journalLine(pool, schema).onChange((line) => tellLine(line, log));
  const managers = await openEntities(pool, schema, entities, log);
  const em = (organizationId?: string): EntityManager => {
    if (managers === undefined) throw new Error(`The service ${schema} has no entities.`);
    return managers.manager(organizationId);
  };
  const close = (): Promise<void> => pool.end();
  const patiently: ServiceDatabase['patiently'] = (statement, ending) =>
    carryOutPatiently(url, schema, statement, ending);
  return { pool, sql: sqlOn(pool), patiently, em, close };
}

/** Nothing is lost by a planned change of the primary, and what the new one lacked by any other. */
function tellLine({ schema, generation, timeline, adopted, lastCommit }: NewLine, log: Logger): void {
  const found = { schema, generation, timeline, lastCommit: lastCommit?.toISOString() };
  if (!adopted) return log.info('The journal goes on in another generation', found);
  log.warn(
    'The database goes on in another line (a standby was promoted, or its files were put back). The journal goes on behind ' +
      'it; what was committed after `lastCommit`, and the standby had not got, is lost.',
    found,
  );
}

/** Only who has entities pays for MikroORM, which is a fifth of all modules of a service. */
async function openEntities(
  pool: Pool,
  schema: string,
  entities: readonly EntitySchema[],
  log: Logger,
): Promise<Entities | undefined> {
  if (entities.length === 0) return undefined;
  const { entityManagers } = await import('./entities/entity-managers.ts');
  return entityManagers(pool, schema, entities, log);
}

/** All migrations of a service: of its journal, of the buses, its own. */
export const migrationSets = (own: readonly SqlMigration[]): readonly MigrationSet[] => [
  { origin: 'journal', migrations: journalMigrations },
  { origin: 'messaging', migrations: consumerMigrations },
  { origin: 'service', migrations: own },
];

/** One transaction left open holds up every reader of a journal, so none may stay. */
function sessionOptions(schema: string, version: number): string {
  const longest = version >= 170_000 ? 'transaction_timeout=60000' : 'statement_timeout=60000';
  return `-c search_path=${schema},public -c idle_in_transaction_session_timeout=15000 -c ${longest}`;
}
