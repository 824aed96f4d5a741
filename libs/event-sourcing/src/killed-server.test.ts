import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startPostgres } from '@messaging-gateway/postgres';
import type { PostgresServer } from '@messaging-gateway/postgres';
import { Unavailable } from '@messaging-gateway/runtime';
import { counter } from './testing/counter.ts';
import { journalMigration } from './journal-migration.ts';
import { metadata, openReplica, quietPool } from './testing/tried-journal.ts';

let folder: string;
let server: PostgresServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'messaging-gateway-killed-'));
  server = await startPostgres({ directory: folder, password: 'test' });
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

describe('PostgreSQL killed under load', () => {
  it('loses nothing that was acknowledged, and no command is applied twice', async () => {
    const setup = quietPool(server.url);
    await setup.query(journalMigration('tried'));
    await setup.end();
    const replica = openReplica(quietPool(server.url));
    const load = { ended: false };
    const acknowledged: string[] = [];
    const faults: unknown[] = [];
    const writing = Array.from({ length: 30 }, async (_, writer) => {
      for (let count = 0; !load.ended; count += 1) {
        const mark = `${writer} ${count}`;
        const handled = replica.store.handle(counter, `w${writer % 10}`, { type: 'Mark', mark }, { metadata });
        await handled.then(
          () => acknowledged.push(mark),
          async (fault: unknown) => {
            faults.push(fault);
            await sleep(20);
          },
        );
      }
    });
    await sleep(500);
    const killed = server.pid;
    process.kill(killed, 'SIGKILL');
    // Its backends may answer for a moment longer.
    while (server.pid === killed) await sleep(25);
    const before = acknowledged.length;
    while (acknowledged.length < before + 100) await sleep(25);
    load.ended = true;
    await Promise.all(writing);
    for (const fault of faults) expect(fault).toBeInstanceOf(Unavailable);

    const stored: string[] = [];
    for (let number = 0; number < 10; number += 1) {
      stored.push(...(await replica.store.load(counter, `w${number}`)).state.marks);
    }
    expect(acknowledged.length).toBeGreaterThanOrEqual(before + 100);
    expect(stored.toSorted()).toEqual(acknowledged.toSorted());
    await replica.close();
  });
});
