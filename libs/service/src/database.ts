import { journalMigrations } from '@messaging-gateway/event-sourcing';
import { consumerMigrations } from '@messaging-gateway/messaging';
import { databaseError, type Logger } from '@messaging-gateway/runtime';
import type { EntityManager, EntitySchema, MikroORM } from '@mikro-orm/postgresql';
import { Client, type Pool } from 'pg';
import { migrate } from './migrations.ts';
import type { Sql, SqlMigration } from './module.ts';
import { idleMs, openPool } from './pool.ts';
import { sqlOn } from './sql.ts';

export interface DatabaseOptions {
  readonly url: string;
  readonly schema: string;
  /** Default: none. */
  readonly entities?: readonly EntitySchema[];
  readonly migrations: readonly SqlMigration[];
  readonly log: Logger;
  /** Connections of the service, at most, beside `ormConnections`. Opened when they are needed. Default 6. */
  readonly connections?: number;
  /** Connections of MikroORM, at most. Default 2. */
  readonly ormConnections?: number;
}

/** The schema of one service: the only one that it touches. */
export interface ServiceDatabase {
  readonly pool: Pool;
  readonly sql: Sql;
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
  const { url, schema, log } = options;
  const session = await prepare(options);
  const pool = openPool({ url, session, connections: options.connections ?? 6, name: schema, log });
  const orm = await openOrm(options, session);
  const em = (): EntityManager => {
    if (orm === undefined) throw new Error(`The service ${schema} has no entities.`);
    return orm.em.fork();
  };
  const close = async (): Promise<void> => {
    await orm?.close(true);
    await pool.end();
  };
  return { pool, sql: sqlOn(pool), em, close };
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

/** @returns options of every session of the service */
async function prepare({ url, schema, migrations }: DatabaseOptions): Promise<string> {
  const client = new Client({ connectionString: url, application_name: `${schema} migrations` });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await migrate(client, schema, [
      { origin: 'journal', migrations: journalMigrations },
      { origin: 'messaging', migrations: consumerMigrations },
      { origin: 'service', migrations },
    ]);
    const { rows } = await client.query<{ version: number }>(
      `select current_setting('server_version_num')::int as version`,
    );
    return sessionOptions(schema, rows[0]?.version ?? 0);
  } catch (error) {
    throw databaseError(error);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** One transaction left open holds up every reader of a journal, so none may stay. */
function sessionOptions(schema: string, version: number): string {
  const longest = version >= 170_000 ? 'transaction_timeout=60000' : 'statement_timeout=60000';
  return `-c search_path=${schema},public -c idle_in_transaction_session_timeout=15000 -c ${longest}`;
}
