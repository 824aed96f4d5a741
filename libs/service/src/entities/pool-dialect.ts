import {
  CompiledQuery,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
} from 'kysely';
import { databaseError, isUnavailable } from '@messaging-gateway/runtime';
import type { Pool, PoolClient } from 'pg';
import { PreparedTexts } from '../prepared-texts.ts';
import { statement } from '../sql.ts';

/** The dialect of MikroORM on a pool that is there: the statements are carried out as those of `Sql`. */
export const poolDialect = (pool: Pool): Dialect => ({
  createDriver: () => poolDriver(pool),
  createQueryCompiler: () => new PostgresQueryCompiler(),
  createAdapter: () => new PostgresAdapter(),
  createIntrospector: (db) => new PostgresIntrospector(db),
});

function poolDriver(pool: Pool): Driver {
  const texts = new PreparedTexts();
  const lent = new WeakMap<DatabaseConnection, LentConnection>();
  const run = async (connection: DatabaseConnection, text: string): Promise<void> => {
    await connection.executeQuery(CompiledQuery.raw(text));
  };
  return {
    init: async () => undefined,
    acquireConnection: async () => {
      const client = await pool.connect().catch((error: unknown) => {
        throw databaseError(error);
      });
      const connection = new LentConnection(client, texts);
      lent.set(connection, connection);
      return connection;
    },
    releaseConnection: async (connection) => lent.get(connection)?.release(),
    beginTransaction: async (connection, { isolationLevel }) => {
      await run(connection, isolationLevel === undefined ? 'BEGIN' : `BEGIN ISOLATION LEVEL ${isolationLevel}`);
      lent.get(connection)?.inTransaction();
    },
    commitTransaction: (connection) => run(connection, 'COMMIT'),
    rollbackTransaction: (connection) => run(connection, 'ROLLBACK'),
    // The pool is closed by whoever opened it.
    destroy: async () => undefined,
  };
}

/** Lists of any length: there would be a statement for each length. */
const isOfAnyLength = (text: string): boolean => / in \(\$\d/.test(text);

class LentConnection implements DatabaseConnection {
  readonly #client: PoolClient;
  readonly #texts: PreparedTexts;
  #again = true;
  #broken = false;

  constructor(client: PoolClient, texts: PreparedTexts) {
    this.#client = client;
    this.#texts = texts;
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    try {
      const manner = { prepared: isOfAnyLength(sql) ? undefined : this.#texts, again: this.#again };
      const { command, rowCount, rows } = await statement<Row & object>(this.#client, sql, parameters, manner);
      return { rows, ...(command !== 'SELECT' && { numAffectedRows: BigInt(rowCount ?? 0) }) };
    } catch (error) {
      // As in a transaction of `Sql`: a session that was begun while the server was read-only stays so.
      this.#broken ||= isUnavailable(error);
      throw error;
    }
  }

  streamQuery(): never {
    throw new Error('Entities are read in pages.');
  }

  /** From now on what fails is not tried again alone. */
  inTransaction(): void {
    this.#again = false;
  }

  release(): void {
    this.#client.release(this.#broken);
  }
}
