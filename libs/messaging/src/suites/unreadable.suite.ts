import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { testDatabase } from '@messaging-gateway/testing';
import type { EventEnvelope } from '@messaging-gateway/contracts';
import { listDeadLetters } from '../dead-letters.ts';
import type { EventBus } from '../events.ts';
import { Collector } from './collector.ts';
import { facts, numberOf } from './events.harness.ts';
import { journalFixture } from './journal.fixture.ts';

/** Another participant, as another process would be. */
export type Participant = { readonly events: EventBus; close(): Promise<void> };

/** Entries that cannot be told: the promises of every event bus. @param open each call takes part in the same events */
export function unreadableEntries(open: () => Participant): void {
  let database: Awaited<ReturnType<typeof testDatabase>>;
  let journal: ReturnType<typeof journalFixture>;
  beforeAll(async () => {
    database = await testDatabase();
    journal = journalFixture(database.url);
    await journal.migrate();
  });
  afterAll(async () => {
    await journal.close();
    await database.drop();
  });

  it('holds up nothing when it is damaged, cannot be mapped or is too large, and lies among the dead letters', async () => {
    await journal.tell(facts('kind', 4));
    await journal.pool.query(`UPDATE teller.events SET data = '5' WHERE version = 2`);
    const { events, close } = open();
    const untold: string[] = [];
    const told = await journal.connect(events, {
      onUntold: (type) => void untold.push(type),
      publish: ({ data }) => {
        const { kind, key, n } = data as { kind: string; key: string; n: number };
        if (n === 2) throw new Error('cannot be mapped');
        return [{ contract: { type: kind, version: 1 }, data: { n }, key }];
      },
    });
    const came = new Collector<number>();
    const home = { schema: 'taker', pool: journal.pool };
    const handler = async (event: EventEnvelope): Promise<void> => came.add(numberOf(event));
    const stop = await events.subscribe({ group: 'damaged', kinds: ['kind'], home, handler });
    expect(await came.until(2)).toEqual([0, 3]);
    const letters = async () => listDeadLetters({ schema: 'teller', pool: journal.pool }, 'teller');
    while ((await letters()).length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
    expect((await letters()).toSorted((one, other) => (one.id < other.id ? -1 : 1))).toMatchObject([
      {
        name: 'untold Told',
        key: 'fact-k',
        id: 'fact-k 2',
        organizationId: 'o',
        reason: expect.stringContaining('damaged'),
      },
      { name: 'untold Told', key: 'fact-k', id: 'fact-k 3', organizationId: 'o', reason: 'Error: cannot be mapped' },
    ]);
    expect(new Set(untold)).toEqual(new Set(['Told']));
    await stop();
    await told.close();
    await close();
  });

  it('waits for a newer version when that can read it, which goes on at once', async () => {
    await journal.tell(facts('kind', 3, ['later']));
    await journal.pool.query(`UPDATE teller.events SET schema_version = 2 WHERE stream = 'fact-later' AND version = 2`);
    const old = open();
    const told = await journal.connect(old.events);
    const came = new Collector<number>();
    const home = { schema: 'taker', pool: journal.pool };
    const handler = async (event: EventEnvelope): Promise<void> => {
      if (event.key === 'later') came.add(numberOf(event));
    };
    const stop = await old.events.subscribe({ group: 'newer', kinds: ['kind'], home, handler });
    expect(await came.until(1)).toEqual([0]);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(came.items).toEqual([0]);
    // As the newer version reads it.
    const newer = open();
    const reading = await journal.connect(newer.events, {}, { asNewer: true });
    const stopNewer = await newer.events.subscribe({ group: 'newer', kinds: ['kind'], home, handler });
    await came.until((numbers) => numbers.includes(2));
    expect([...new Set(came.items)]).toEqual([0, 1, 2]);
    await stopNewer();
    await stop();
    await reading.close();
    await told.close();
    await Promise.all([old.close(), newer.close()]);
  });
}
