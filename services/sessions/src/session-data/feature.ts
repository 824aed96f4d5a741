import { feature, type ServiceTools } from '@messaging-gateway/service';
import { Counter, Histogram } from 'prom-client';
import type { SessionsSettings } from '../config.ts';
import { leasesOfTheLibrary, sessionData as sessionDataMigration } from './0002-leases-and-session-data.migration.ts';
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

const seconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1];

/** Measures commits of session data. @returns notes one: how long it took, and how many callers shared it */
function commitMetrics(registry: ServiceTools<unknown>['metrics']): (milliseconds: number, writers: number) => void {
  const registers = [registry];
  for (const name of ['sessions_commit_seconds', 'sessions_commit_writers_total']) registry.removeSingleMetric(name);
  const commits = new Histogram({
    name: 'sessions_commit_seconds',
    help: 'Commits of session data',
    buckets: seconds,
    registers,
  });
  const writers = new Counter({
    name: 'sessions_commit_writers_total',
    help: 'Callers whose changes were committed',
    registers,
  });
  return (milliseconds, callers) => {
    commits.observe(milliseconds / 1000);
    writers.inc(callers);
  };
}
