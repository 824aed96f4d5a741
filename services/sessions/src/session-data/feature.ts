import { feature, type ServiceTools } from '@messaging-gateway/service';
import type { SessionsSettings } from '../config.ts';
import { leasesOfTheLibrary, sessionData as sessionDataMigration } from './0002-leases-and-session-data.migration.ts';
import { commitMetrics } from './group-commit.ts';
import { LateStore } from './late-store.ts';
import { openLmdbStore } from './lmdb/lmdb-store.ts';
import { openPostgresStore } from './postgres/postgres-store.ts';
import type { SessionDataStore } from './session-data-store.ts';

/** Credentials, keys and ratchets of profiles, and what lies beside them until the journal has it. */
export const sessionData = feature({
  name: 'session data',
  migrations: [leasesOfTheLibrary, sessionDataMigration],
  connect: ({ settings, sql, encryption, metrics }: ServiceTools<SessionsSettings>) => {
    const onCommit = commitMetrics(metrics);
    const store = new LateStore(() =>
      settings.isAlone
        ? openLmdbStore({ directory: settings.directory, encryption, onCommit })
        : openPostgresStore({ sql, encryption, onCommit }),
    );
    const api: SessionDataStore = store;
    return { api, running: [store] };
  },
});
