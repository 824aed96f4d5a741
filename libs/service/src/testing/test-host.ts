import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { localMediaStore } from '@messaging-gateway/media';
import {
  encryptionKeys,
  memoryCache,
  silentLogger,
  testClock,
  type Cache,
  type Logger,
  type TestClock,
} from '@messaging-gateway/runtime';
import { testDatabase, type DatabaseTemplate } from '@messaging-gateway/testing';
import { Registry } from 'prom-client';
import { migrationSets } from '../database.ts';
import { inProcessPorts } from '../in-process.ts';
import { migrate } from '../migrating/migrate.ts';
import { stepsOf } from '../migrating/migration-step.ts';
import type { ServiceModule } from '../module.ts';
import type { Host, Ports } from '../ports.ts';
import { toldByOthers } from '../owners-of-facts.ts';
import { Deliveries } from './deliveries.ts';
import { MemoryJournal } from './memory-journal.ts';

/** Keys with which services under test seal. */
export const testEncryption = encryptionKeys('a test key with 32 characters...');

export interface TestHostOptions {
  /** Default: a clock that runs by itself and can be moved forward. */
  readonly clock?: TestClock;
  /** Waits before each event, milliseconds, so that kinds overtake each other. */
  readonly shuffle?: () => number;
  readonly log?: Logger;
  /** Default: memory. */
  readonly cache?: Cache;
}

/** The host of a service under test. */
export interface TestHost {
  readonly clock: TestClock;
  /** As other services see them. */
  readonly ports: Ports;
  /** As the service sees it: what it does with events is watched. */
  readonly host: Host;
  readonly deliveries: Deliveries;
  /** Facts that all other services tell. */
  readonly foreign: MemoryJournal;
  readonly close: () => Promise<void>;
}

export async function openTestHost<Settings>(
  service: ServiceModule<Settings>,
  options: TestHostOptions,
): Promise<TestHost> {
  const { clock = testClock(), log = silentLogger, shuffle } = options;
  const database = await testDatabase(migrated(service));
  const ports = inProcessPorts({ clock, log, ...(shuffle && { shuffle }) });
  const deliveries = new Deliveries();
  const foreign = new MemoryJournal();
  const stopForeign = await ports.events.publishFrom(foreign.source((kind) => toldByOthers(service.name, kind)));
  const folder = mkdtempSync(join(tmpdir(), 'media-'));
  const host: Host = {
    ports: { ...ports, events: deliveries.watch(ports.events) },
    databaseUrl: database.url,
    clock,
    log,
    metrics: new Registry(),
    cache: options.cache ?? memoryCache(clock),
    media: localMediaStore(folder),
    encryption: testEncryption,
    // A busy machine takes longer than a client would like to wait.
    readsWaitMs: 60_000,
  };
  const close = async (): Promise<void> => {
    await stopForeign();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  };
  return { clock, ports, host, deliveries, foreign, close };
}

/** A database that holds the migrated schema of the service. */
function migrated<Settings>({ storage: { schema }, migrations }: ServiceModule<Settings>): DatabaseTemplate {
  const sets = migrationSets(migrations);
  return {
    key: stepsOf(schema, sets)
      .map(({ name, checksum }) => `${schema} ${name} ${checksum}`)
      .join('\n'),
    prepare: (url) => migrate({ url, schema, sets, log: silentLogger }),
  };
}
