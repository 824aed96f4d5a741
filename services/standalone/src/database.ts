import { join } from 'node:path';
import type { PostgresServer, ServerOptions } from '@messaging-gateway/postgres';
import type { Logger } from '@messaging-gateway/runtime';
import { DataInUse, explainAtFirst, lockData, placeOf, postgresAccess, whileSlow } from '@messaging-gateway/service';

/** The server under the data folder. */
async function startEmbedded(
  dataDirectory: string,
  options: Pick<ServerOptions, 'password' | 'settings' | 'signal'> & Pick<DatabasePlace, 'say'>,
): Promise<PostgresServer> {
  // Not in the services' image, whose commands are given the URL of a database.
  const { OtherPassword, startPostgres } = await import('@messaging-gateway/postgres');
  const say = options.say ?? ((line: string) => void process.stdout.write(`${line}\n`));
  return startPostgres({ ...options, directory: join(dataDirectory, 'postgres'), say }).catch((error: unknown) => {
    if (!(error instanceof OtherPassword)) throw error;
    throw new Error(
      `${join(dataDirectory, 'secrets.json')} is not the one that the database beside it was made with: put that one back, or restore a backup into a new DATA_DIR that holds the secrets.json of the backup's time.`,
      { cause: error },
    );
  });
}

/** The database of this process, held for it alone. */
export interface Database {
  readonly url: string;
  /** Gives it back; an embedded server ends. */
  close(): Promise<void>;
}

/** Where the data is. */
export interface DatabasePlace {
  /** Connection string of the operator's server; absent: the embedded one is used. */
  readonly databaseUrl: string | undefined;
  readonly dataDirectory: string;
  /** Takes lines while the embedded server starts; standard output when absent. */
  readonly say?: (line: string) => void;
}

/**
 * The database for a command that works beside a running gateway: an embedded server that runs already goes on.
 */
export async function visitDatabase(place: DatabasePlace, password: string): Promise<Database> {
  const { databaseUrl: url, dataDirectory: directory, say } = place;
  if (url !== undefined) return { url, close: async () => undefined };
  const server = await startEmbedded(directory, { password, ...(say && { say }) });
  return { url: server.localUrl, close: server.adopted ? server.release : server.stop };
}

/** How it is begun. */
interface Beginning {
  /** Ends the start. */
  readonly signal?: AbortSignal | undefined;
  /** Told when the start waits for a server that is slow. Absent: `say` is. */
  readonly log?: Pick<Logger, 'warn' | 'info'>;
}

/**
 * Connects to the given server, or starts the embedded one under the data folder. A server that is slow is waited for.
 *
 * @throws DataInUse when another gateway is served by it
 */
export async function openDatabase(
  place: DatabasePlace,
  password: string,
  { signal, log: given }: Beginning = {},
): Promise<Database> {
  const { databaseUrl: url, dataDirectory: directory, say } = place;
  const log = given ?? { warn: (line) => say?.(line), info: (line) => say?.(line) };
  const taken = (at: string, shown: string): Promise<() => Promise<void>> =>
    whileSlow(() => takeAlone(at, shown), { what: `PostgreSQL at ${placeOf(at)}`, log, signal });
  if (url !== undefined) {
    const unlock = await taken(url, url.replace(/\/\/.*@/, '//')).catch(notReached(url));
    return { url, close: unlock };
  }
  const server = await startEmbedded(directory, {
    password,
    settings: { max_connections: '200' },
    signal,
    ...(say && { say }),
  });
  try {
    const unlock = await taken(server.localUrl, directory);
    return {
      url: server.localUrl,
      close: async () => {
        await unlock();
        await server.stop();
      },
    };
  } catch (error) {
    await server.release();
    throw error;
  }
}

const takeAlone = (url: string, place: string): Promise<() => Promise<void>> =>
  lockData({
    url,
    serving: 'alone',
    inUse: `Another gateway already runs on ${place}: stop it and its services, or set DATA_DIR or DATABASE_URL to another place.`,
  });

const notReached =
  (url: string) =>
  (error: unknown): never => {
    if (error instanceof DataInUse) throw error;
    const reason = explainAtFirst(postgresAccess(url), error);
    throw new Error(`PostgreSQL at ${placeOf(url)} is not reached: ${reason}`, { cause: error });
  };
