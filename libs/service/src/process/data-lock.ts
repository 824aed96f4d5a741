import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { servingLock, servingName } from '../migrating/schema-version.ts';

/** `alone`: by this process and no other. `together`: by one of the processes of a distributed installation. */
type Serving = 'alone' | 'together';

/** The data are served by others. */
export class DataInUse extends Error {}

export interface DataLockOptions {
  readonly url: string;
  readonly serving: Serving;
  /** Said when it is held by others. */
  readonly inUse: string;
  /** Called when the lock was lost with its connection and others have taken it meanwhile. */
  readonly onTaken?: (fault: DataInUse) => void;
}

/**
 * Takes the database for this process alone, or for itself and others that work together. PostgreSQL gives the lock
 * back when the process ends, however it ends.
 *
 * @returns gives it back
 * @throws DataInUse when others hold it
 */
export async function lockData({ url, serving, inUse, onTaken }: DataLockOptions): Promise<() => Promise<void>> {
  let client = await connect(url);
  if (!(await tryLock(client, serving))) {
    await client.end();
    throw new DataInUse(inUse);
  }
  let released = false;
  const hold = (): void => {
    client.on('error', () => undefined);
    client.on('end', () => void regain());
  };
  // The server may be restarted under us: the lock is taken again as soon as it is back.
  const regain = async (): Promise<void> => {
    while (!released) {
      try {
        client = await connect(url);
        if (!released && (await tryLock(client, serving))) return hold();
        await client.end();
        if (!released) onTaken?.(new DataInUse(inUse));
      } catch {
        // Not back yet.
      }
      await delay(200, undefined, { ref: false });
    }
  };
  hold();
  return async () => {
    released = true;
    await client.end().catch(() => undefined);
  };
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 5000,
    keepAlive: true,
    application_name: servingName,
  });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** The lock of a process that was killed is free within a moment: three seconds are waited for it. */
async function tryLock(client: pg.Client, serving: Serving): Promise<boolean> {
  const take = serving === 'alone' ? 'pg_try_advisory_lock' : 'pg_try_advisory_lock_shared';
  for (let tries = 0; tries < 30; tries += 1) {
    const { rows } = await client.query<{ taken: boolean }>(`SELECT ${take}($1) AS taken`, [servingLock]);
    if (rows[0]?.taken === true) return true;
    await delay(100);
  }
  return false;
}
