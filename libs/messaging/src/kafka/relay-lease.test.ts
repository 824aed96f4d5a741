import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JournalPlace } from '@messaging-gateway/event-sourcing';
import { testDatabase } from '@messaging-gateway/testing';
import { journalFixture } from '../suites/journal.fixture.ts';
import { RelayLease, type Term } from './relay-lease.ts';

const placeAt = (position: number): JournalPlace => ({
  generation: 1,
  transactionId: BigInt(position),
  position: BigInt(position),
});

describe('the relay of a journal', () => {
  let database: Awaited<ReturnType<typeof testDatabase>>;
  let journal: ReturnType<typeof journalFixture>;
  let names = 0;
  beforeAll(async () => {
    database = await testDatabase();
    journal = journalFixture(database.url);
    await journal.migrate();
  });
  afterAll(async () => {
    await journal.close();
    await database.drop();
  });

  /** Replicas of one relay. */
  const replicas = () => {
    const name = `relay ${(names += 1)}`;
    return [new RelayLease(journal.pool, 'teller', name), new RelayLease(journal.pool, 'teller', name)] as const;
  };
  /** As if the holder had not renewed for long enough. */
  const runOut = () => journal.pool.query("update teller.relays set held_until = now() - interval '1 second'");

  it('is one replica, however many ask at once', async () => {
    const [one, other] = replicas();
    const taken = await Promise.all([one.take(), other.take(), one.take(), other.take()]);
    expect(taken.filter((term) => term !== undefined)).toEqual([{ epoch: 1n, generation: 2, place: undefined }]);
  });

  it('goes on where the one before it has ended', async () => {
    const [one, other] = replicas();
    const term = (await one.take()) as Term;
    await one.release(term, placeAt(7));
    expect(await other.take()).toEqual({ epoch: 2n, generation: 2, place: placeAt(7) });
    expect(await one.place()).toEqual(placeAt(7));
  });

  it('moves the place neither back nor ahead once another has taken over', async () => {
    const [one, other] = replicas();
    const first = (await one.take()) as Term;
    expect(await one.keep(first, placeAt(3))).toBe(true);
    await runOut();
    const second = (await other.take()) as Term;
    expect(second).toEqual({ epoch: 2n, generation: 2, place: placeAt(3) });
    await other.keep(second, placeAt(5));
    expect(await one.keep(first, placeAt(4))).toBe(false);
    expect(await one.keep(first, placeAt(9))).toBe(false);
    await one.release(first, placeAt(9));
    expect(await one.place()).toEqual(placeAt(5));
    expect(await one.take()).toBeUndefined();
  });

  it('begins again in a journal that was restored', async () => {
    const [one, other] = replicas();
    const term = (await one.take()) as Term;
    await one.release(term, placeAt(7));
    await journal.pool.query('UPDATE teller.journal SET generation = generation + 1, begun = generation + 1');
    const again = (await other.take()) as Term;
    expect(again.place).toBeUndefined();
    await other.release(again, placeAt(8));
    expect((await one.take())?.place).toEqual(placeAt(8));
  });

  it('goes on from the kept place in another line, where turns of the former one count for nothing', async () => {
    const [one, other] = replicas();
    const term = (await one.take()) as Term;
    await one.keep(term, placeAt(7));
    await journal.pool.query('UPDATE teller.journal SET generation = generation + 1');
    expect(await one.keep(term, placeAt(9))).toBe(false);
    const again = (await other.take()) as Term;
    expect(again.place).toEqual(placeAt(7));
    // The epoch of the turn that was lost is given out again.
    await journal.pool.query('UPDATE teller.relays SET epoch = 1');
    expect(await one.keep(term, placeAt(9))).toBe(false);
    await one.release(term, placeAt(9));
    expect(await other.keep({ ...again, epoch: 1n }, placeAt(8))).toBe(true);
    expect(await one.place()).toEqual(placeAt(8));
  });
});
