import { assertRightKey, doorbell, openEventStore, type EventStore } from '@messaging-gateway/event-sourcing';
import { identity } from '@messaging-gateway/identity';
import { encryptionKeys, silentLogger, systemClock } from '@messaging-gateway/runtime';
import { sqlOn, type ServiceModule, type ServiceTools, type Sql } from '@messaging-gateway/service';
import { entityManagers } from '@messaging-gateway/service/entities';
import pg from 'pg';
import type { Place } from './verb.ts';

/** The journal of a service, as another replica would open it. */
export interface Journal {
  readonly store: EventStore;
  readonly sql: Sql;
  readonly em: ServiceTools<unknown>['em'];
}

/** @throws WrongKey */
export const withIdentityJournal = <T>(place: Place, work: (journal: Journal) => Promise<T>): Promise<T> =>
  withJournal(identity, place, work);

/** Works on the journal of a service like another replica. @throws WrongKey */
export async function withJournal<T>(
  { storage, entities = [] }: Pick<ServiceModule<never>, 'storage' | 'entities'>,
  { databaseUrl, settings }: Place,
  work: (journal: Journal) => Promise<T>,
): Promise<T> {
  const options = `-c search_path=${storage.schema},public`;
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2, options, application_name: 'command' });
  const encryption = encryptionKeys(settings.encryptionKey, settings.previousEncryptionKeys);
  const store = openEventStore({ ...storage, pool, encryption, clock: systemClock, doorbell: doorbell() });
  try {
    await assertRightKey(pool, storage.schema, encryption);
    const em =
      entities.length === 0 ? noEntities : entityManagers(pool, storage.schema, entities, silentLogger).manager;
    return await work({ store, sql: sqlOn(pool), em });
  } finally {
    await store.close();
    await pool.end();
  }
}

const noEntities = (): never => {
  throw new Error('This service has no entities.');
};
