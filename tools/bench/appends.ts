import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { doorbell, openEventStore } from '@messaging-gateway/event-sourcing';
import { counter } from '@messaging-gateway/event-sourcing/testing';
import { startPostgres } from '@messaging-gateway/postgres';
import { encryptionKeys, silentLogger, systemClock } from '@messaging-gateway/runtime';
import { openDatabase } from '@messaging-gateway/service';
import { v7 } from 'uuid';

const writers = 256;

/** Events appended a second by many concurrent commands, each on a stream of its own, with one personal field. */
export async function measureAppends(seconds: number): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), 'messaging-gateway-appends-'));
  const server = await startPostgres({ directory, password: 'bench' });
  const database = await openDatabase({
    url: server.url,
    schema: 'bench',
    entities: [],
    migrations: [],
    log: silentLogger,
  });
  const store = openEventStore({
    pool: database.pool,
    schema: 'bench',
    streams: [counter],
    inlineViews: [],
    guards: [],
    encryption: encryptionKeys('0123456789abcdef0123456789abcdef'),
    clock: systemClock,
    doorbell: doorbell(),
  });
  const metadata = { organizationId: v7(), subject: 'organization:bench' };
  let appended = 0;
  const started = performance.now();
  await Promise.all(
    Array.from({ length: writers }, async () => {
      while (performance.now() < started + seconds * 1000) {
        await store.handle(counter, v7(), { type: 'Count', by: 1, name: 'a personal field' }, { metadata });
        appended += 1;
      }
    }),
  );
  const elapsed = performance.now() - started;
  await store.close();
  await database.close();
  await server.stop();
  rmSync(directory, { recursive: true, force: true });
  return (appended / elapsed) * 1000;
}
