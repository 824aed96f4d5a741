// `npm run user -- reset-password <email>`: a temporary password for somebody who has lost theirs.
import { doorbell, openEventStore } from '@messaging-gateway/event-sourcing';
import { identity, resetPassword } from '@messaging-gateway/identity';
import { encryptionKeys, silentLogger, systemClock } from '@messaging-gateway/runtime';
import { sqlOn } from '@messaging-gateway/service';
import pg from 'pg';
import { runCommand, say, type CommandTools } from './command.ts';

const usage = 'Usage: npm run user -- reset-password <email>';

await runCommand('beside', async ({ databaseUrl, args: [verb, email, ...rest], settings }) => {
  if (verb !== 'reset-password' || email === undefined || rest.length > 0) throw new Error(usage);
  const password = await temporaryPassword(databaseUrl, settings, email);
  if (password === undefined) throw new Error('Nobody has this address.');
  say(`Temporary password: ${password}`);
  say('All sessions of the user have ended. It must be changed at the next login.');
});

async function temporaryPassword(
  databaseUrl: string,
  { encryptionKey, previousEncryptionKeys }: CommandTools['settings'],
  email: string,
): Promise<string | undefined> {
  const { storage } = identity;
  const options = `-c search_path=${storage.schema},public`;
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2, options, application_name: 'user' });
  const encryption = encryptionKeys(encryptionKey, previousEncryptionKeys);
  const store = openEventStore({ ...storage, pool, encryption, clock: systemClock, doorbell: doorbell() });
  try {
    return await resetPassword({ store, sql: sqlOn(pool), clock: systemClock, log: silentLogger }, email);
  } finally {
    await store.close();
    await pool.end();
  }
}
