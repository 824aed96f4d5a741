import { assertRightKey, doorbell, openEventStore, type EventStore } from '@messaging-gateway/event-sourcing';
import { identity } from '@messaging-gateway/identity';
import { encryptionKeys, silentLogger, systemClock } from '@messaging-gateway/runtime';
import { sqlOn, type ServiceTools, type Sql } from '@messaging-gateway/service';
import { entityManagers } from '@messaging-gateway/service/entities';
import pg from 'pg';
import type { CommandTools } from './command.ts';

/** Works on the journal of identity like another replica. @throws WrongKey */
export async function withIdentityJournal<T>(
  { databaseUrl, settings }: Pick<CommandTools, 'databaseUrl' | 'settings'>,
  work: (journal: {
    readonly store: EventStore;
    readonly sql: Sql;
    readonly em: ServiceTools<unknown>['em'];
  }) => Promise<T>,
): Promise<T> {
  const { storage } = identity;
  const options = `-c search_path=${storage.schema},public`;
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2, options, application_name: 'command' });
  const encryption = encryptionKeys(settings.encryptionKey, settings.previousEncryptionKeys);
  const store = openEventStore({ ...storage, pool, encryption, clock: systemClock, doorbell: doorbell() });
  try {
    await assertRightKey(pool, storage.schema, encryption);
    const { manager } = entityManagers(pool, storage.schema, identity.entities ?? [], silentLogger);
    return await work({ store, sql: sqlOn(pool), em: manager });
  } finally {
    await store.close();
    await pool.end();
  }
}
