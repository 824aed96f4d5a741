import pg from 'pg';

/** Key of the advisory lock that stands for "this database is served by a standalone gateway". */
const lockKey = 7_340_021;

/** The data folder is served by another process. */
export class DataInUse extends Error {}

/**
 * Takes the database for this process alone. PostgreSQL gives the lock back when the process ends, however it ends.
 *
 * @returns gives it back
 * @throws DataInUse when another process holds it
 */
export async function lockData(url: string, directory: string): Promise<() => Promise<void>> {
  let client = await connect(url);
  if (!(await tryLock(client))) {
    await client.end();
    throw new DataInUse(`Another gateway already runs on ${directory}: stop it, or set DATA_DIR to another folder.`);
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
        if (await tryLock(client)) return hold();
        await client.end();
      } catch {
        // Not back yet.
      }
      await new Promise((resolve) => setTimeout(resolve, 200).unref());
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
    application_name: 'standalone lock',
  });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** The lock of a process that was killed is free within a moment: three seconds are waited for it. */
async function tryLock(client: pg.Client): Promise<boolean> {
  for (let tries = 0; tries < 30; tries += 1) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [lockKey]);
    if (rows[0]?.taken === true) return true;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return false;
}
