import { journalLine, journalMigrations, type NewLine } from '@messaging-gateway/event-sourcing';
import { consumerMigrations } from '@messaging-gateway/messaging';
import type { Logger } from '@messaging-gateway/runtime';
import type { EntityManager, EntitySchema, MikroORM } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';
import { migrate } from './migrating/migrate.ts';
import type { MigrationSet } from './migrating/migration-step.ts';
import type { Sql, SqlMigration } from './module.ts';
import { carryOutPatiently } from './patient-statement.ts';
import { idleMs, openPool } from './pool.ts';
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
  /** Connections of the service, at most, beside `ormConnections`. Opened when they are needed. Default 6. */
  readonly connections?: number;
  /** Connections of MikroORM, at most. Default 2. */
  readonly ormConnections?: number;
}

/** The schema of one service: the only one that it touches. */
export interface ServiceDatabase {
  readonly pool: Pool;
  readonly sql: Sql;
  /** See `ServiceTools`. */
  readonly patiently: (statement: string, signal: AbortSignal) => Promise<void>;
  /** A fresh entity manager. @throws Error when the service has no entities */
  readonly em: () => EntityManager;
  readonly close: () => Promise<void>;
}

/**
 * Brings the schema up to date and opens it. Both pools find tables of the schema without its name.
 *
 * @throws Unavailable when the database does not answer
 */
export async function openDatabase(options: DatabaseOptions): Promise<ServiceDatabase> {
  const { url, schema, log, signal } = options;
  const sets = migrationSets(options.migrations);
  const { serverVersion } = await migrate({ url, schema, sets, log, signal });
  const session = sessionOptions(schema, serverVersion);
  const pool = openPool({ url, session, connections: options.connections ?? 6, name: schema, log });
  journalLine(pool, schema).onChange((line) => tellLine(line, log));
  const orm = await openOrm(options, session);
  const em = (): EntityManager => {
    if (orm === undefined) throw new Error(`The service ${schema} has no entities.`);
    return orm.em.fork();
  };
  const close = async (): Promise<void> => {
    await orm?.close(true);
    await pool.end();
  };
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
async function openOrm(
  { url, schema, entities = [], log, ormConnections = 2 }: DatabaseOptions,
  session: string,
): Promise<MikroORM | undefined> {
  if (entities.length === 0) return undefined;
  const { MikroORM } = await import('@mikro-orm/postgresql');
  return new MikroORM({
    clientUrl: url,
    schema,
    entities: [...entities],
    pool: { min: 0, max: ormConnections, idleTimeoutMillis: idleMs },
    // The whole URL: MikroORM's own reading of it leaves `sslmode` out.
    driverOptions: { connectionString: url, options: session, application_name: `${schema} views` },
    logger: (message) => log.debug(message),
  });
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
