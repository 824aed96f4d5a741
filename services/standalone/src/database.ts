import { join } from 'node:path';
import { startPostgres } from '@messaging-gateway/postgres';
import { lockData } from './data-lock.ts';

/** The database of this process, held for it alone. */
export interface Database {
  readonly url: string;
  /** Gives it back; an embedded server ends. */
  close(): Promise<void>;
}

/**
 * Connects to the given server, or starts the embedded one under the data folder.
 *
 * @throws DataInUse when another gateway is served by it
 */
export async function openDatabase(url: string | undefined, directory: string, password: string): Promise<Database> {
  if (url !== undefined) return { url, close: await lockData(url, url.replace(/\/\/.*@/, '//')) };
  const server = await startPostgres({ directory: join(directory, 'postgres'), password, settings: { max_connections: '200' } });
  try {
    const unlock = await lockData(server.url, directory);
    return {
      url: server.url,
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
