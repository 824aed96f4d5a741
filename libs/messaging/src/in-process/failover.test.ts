import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { silentLogger, systemClock } from '@messaging-gateway/runtime';
import { postgresPair, type PostgresPair } from '@messaging-gateway/testing';
import type { SuiteFact } from '../suites/events.harness.ts';
import { journalFixture } from '../suites/journal.fixture.ts';
import { inProcessEventBus } from './event-bus.ts';

let pair: PostgresPair;
let journal: ReturnType<typeof journalFixture>;
beforeAll(async () => {
  pair = await postgresPair();
  journal = journalFixture(pair.url);
  await journal.migrate();
  await journal.pool.query('CREATE TABLE taker.handled (key text, n int, PRIMARY KEY (key, n))');
});
afterAll(async () => {
  await journal.close();
  await pair.drop();
});

const fact = (key: string, n: number): SuiteFact => ({ kind: 'things.told', key, n });

/** Rows of a query, once the database is there. */
async function rows<Row extends object>(text: string): Promise<Row[]> {
  for (;;) {
    try {
      return (await journal.pool.query<Row>(text)).rows;
    } catch {
      await sleep(50);
    }
  }
}

const handled = () => rows<{ key: string; n: number }>('SELECT key, n FROM taker.handled ORDER BY key, n');
const told = () =>
  rows<{ key: string; n: number }>(
    `SELECT data->>'key' AS key, (data->>'n')::int AS n FROM teller.events ORDER BY 1, 2`,
  );

describe('a standby that lacks the last transactions, promoted under a living process', () => {
  it('silences nothing that is in its journals, and no id stands for two facts', async () => {
    const contents = new Map<string, Set<string>>();
    const gate = Promise.withResolvers<void>();
    const bus = inProcessEventBus({ clock: systemClock, log: silentLogger });
    const stop = await bus.subscribe({
      group: 'takers',
      kinds: ['things.told'],
      home: { schema: 'taker', pool: journal.pool },
      handler: async ({ id, key, data }) => {
        const { n } = data as SuiteFact;
        contents.set(id, (contents.get(id) ?? new Set()).add(`${key} ${n}`));
        if (key === 'late') await gate.promise;
        await journal.pool.query('INSERT INTO taker.handled VALUES ($1, $2) ON CONFLICT DO NOTHING', [key, n]);
      },
    });
    const { close } = await journal.connect(bus);
    await journal.tell([fact('a', 1), fact('b', 1)]);
    while ((await handled()).length < 2) await sleep(10);
    // In the journal of the standby, and handled when nothing reaches it any more: the handling is lost, its place as well.
    await journal.tell([fact('late', 1)]);
    while (contents.size < 3) await sleep(10);
    await pair.cutOff();
    gate.resolve();
    await journal.tell([fact('a', 20), fact('b', 20), fact('lost', 20)]);
    while ((await handled()).length < 6) await sleep(10);
    // Places are written twice a second.
    await sleep(700);
    await pair.failOver();

    for (const one of [fact('a', 2), fact('b', 2), fact('lost', 2), fact('fresh', 2)]) {
      for (let done = false; !done; await sleep(50)) {
        done = await journal.tell([one]).then(
          () => true,
          () => false,
        );
      }
    }
    const wanted = [
      ...[1, 2].flatMap((n) => ['a', 'b'].map((key) => ({ key, n }))),
      { key: 'late', n: 1 },
      { key: 'lost', n: 2 },
      { key: 'fresh', n: 2 },
    ].toSorted((one, other) => (one.key === other.key ? one.n - other.n : one.key < other.key ? -1 : 1));
    expect(await told()).toEqual(wanted);
    while ((await handled()).length < wanted.length) await sleep(20);
    expect(await handled()).toEqual(wanted);
    expect([...contents.values()].filter((some) => some.size > 1)).toEqual([]);
    await close();
    await stop();
  });
});
