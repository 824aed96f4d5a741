import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { dayOf, dueChange, sweep } from './retention.ts';
import { StaleEpoch, type Change, type SessionData, type SessionDataStore } from './session-data-store.ts';

export interface StoreUnderTest {
  readonly store: SessionDataStore;
  /** Closes it and opens it again on the same data. */
  reopen(): Promise<SessionDataStore>;
  /** Gives somebody the lease of a profile with this epoch, unless a newer one was given. */
  grant?(profileId: string, epoch: number): Promise<void>;
  remove(): Promise<void>;
}

const put = (table: Change['table'], id: string, text: string): Change => ({ table, id, value: Buffer.from(text) });
const gone = (table: Change['table'], id: string): Change => ({ table, id, value: undefined });
const texts = (values: (Buffer | undefined)[]): (string | undefined)[] => values.map((value) => value?.toString());

/** Promises of every store of session data. */
export function sessionDataSuite(name: string, make: () => Promise<StoreUnderTest>): void {
  describe(name, () => {
    let made: StoreUnderTest;
    let store: SessionDataStore;
    let profileId: string;
    beforeEach(async () => {
      made = await make();
      store = made.store;
      profileId = randomUUID();
    });
    afterEach(() => made.remove());
    const open = async (id: string, epoch: number): Promise<SessionData> => {
      await made.grant?.(id, epoch);
      return store.open(id, epoch);
    };

    it('has what was committed, also after it was closed', async () => {
      const data = await open(profileId, 1);
      await data.commit([put('signal', 'session/4915.0', 'one'), put('sent', 'A', 'two')]);
      await data.commit([put('signal', 'session/4915.0', 'newer'), gone('sent', 'A')]);
      store = await made.reopen();
      const again = await open(profileId, 2);
      expect(texts(await again.read('signal', ['session/4915.0', 'session/none']))).toEqual(['newer', undefined]);
      expect(texts(await again.read('sent', ['A']))).toEqual([undefined]);
    });

    it('reads what is being written', async () => {
      const data = await open(profileId, 1);
      const first = data.commit([put('sent', 'A', 'first')]);
      const second = data.commit([put('sent', 'A', 'second')]);
      expect(texts(await data.read('sent', ['A']))).toEqual(['second']);
      await Promise.all([first, second]);
      expect(texts(await data.read('sent', ['A']))).toEqual(['second']);
    });

    it('keeps profiles and tables apart', async () => {
      const [one, other] = [await open(profileId, 1), await open(randomUUID(), 1)];
      await one.commit([put('sent', 'A', 'mine'), put('taken', 'A', 'taken')]);
      expect(texts(await other.read('sent', ['A']))).toEqual([undefined]);
      expect(texts(await one.read('taken', ['A']))).toEqual(['taken']);
    });

    it('lists a table by rising id, in pages', async () => {
      const data = await open(profileId, 1);
      await data.commit(['3', '1', '2', '10'].map((id) => put('inbox', id.padStart(4, '0'), id)));
      const page = await data.scan('inbox', '', 2);
      expect(page.map(({ value }) => value.toString())).toEqual(['1', '2']);
      const rest = await data.scan('inbox', page.at(-1)?.id ?? '', 10);
      expect(rest.map(({ value }) => value.toString())).toEqual(['3', '10']);
    });

    it('knows the last id of a table', async () => {
      const data = await open(profileId, 1);
      expect(await data.last('inbox')).toBeUndefined();
      await data.commit([put('inbox', '0001', 'a'), put('inbox', '0010', 'b'), put('media', '9999', 'c')]);
      expect(await data.last('inbox')).toBe('0010');
      expect(await data.last('media')).toBe('9999');
      await data.commit([gone('inbox', '0010')]);
      expect(await data.last('inbox')).toBe('0001');
    });

    it('takes nothing more from a holder whose epoch has passed', async () => {
      const old = await open(profileId, 1);
      const data = await open(profileId, 2);
      await expect(old.commit([put('sent', 'A', 'late')])).rejects.toThrow(StaleEpoch);
      await data.commit([put('sent', 'B', 'new')]);
      expect(texts(await data.read('sent', ['A', 'B']))).toEqual([undefined, 'new']);
      await expect(open(profileId, 1)).rejects.toThrow(StaleEpoch);
      store = await made.reopen();
      await expect(open(profileId, 1)).rejects.toThrow(StaleEpoch);
    });

    it('writes calls in their order, whatever they wait for', async () => {
      const data = await open(profileId, 1);
      await Promise.all(
        Array.from({ length: 200 }, (_, n) =>
          data.commit([put('sent', 'A', String(n)), put('sent', `B${n}`, 'x')], n % 3 === 0 ? 5 : 0),
        ),
      );
      store = await made.reopen();
      const again = await open(profileId, 2);
      expect(texts(await again.read('sent', ['A', 'B0', 'B199']))).toEqual(['199', 'x', 'x']);
    });

    it('erases tables, or everything', async () => {
      const data = await open(profileId, 1);
      await data.commit([put('signal', 'a', '1'), put('inbox', '1', '1')]);
      await store.erase(profileId, { only: ['signal'], epoch: 1 });
      expect([await store.holding([profileId], 'signal'), await store.holding([profileId], 'inbox')]).toEqual([
        [],
        [profileId],
      ]);
      expect(texts([...(await data.read('signal', ['a'])), ...(await data.read('inbox', ['1']))])).toEqual([
        undefined,
        '1',
      ]);
      await store.erase(profileId);
      expect(texts(await data.read('inbox', ['1']))).toEqual([undefined]);
    });

    it('names every profile that has session data, and no other', async () => {
      const others = [randomUUID(), randomUUID()];
      const [first, second] = await Promise.all(others.map((id) => open(id, 1)));
      const none = await open(profileId, 1);
      await first?.commit([put('signal', 'a', '1'), put('people', '49151', '1')]);
      await second?.commit([put('people', '49151', '1')]);
      await none.commit([put('sent', 'A', '1')]);
      await none.commit([gone('sent', 'A')]);
      expect((await store.profiles()).filter((id) => [...others, profileId].includes(id)).toSorted()).toEqual(
        others.toSorted(),
      );
    });

    it('forgets what is due, and looks at nothing else for it', async () => {
      const whole = await open(profileId, 1);
      const asked: string[] = [];
      const data: SessionData = {
        profileId,
        epoch: 1,
        isLocal: whole.isLocal,
        read: (table, ids) => (asked.push(...ids), whole.read(table, ids)),
        scan: (table, after, limit) => (asked.push(table), whole.scan(table, after, limit)),
        last: (table) => whole.last(table),
        commit: (changes, patienceMs) => whole.commit(changes, patienceMs),
        settled: () => whole.settled(),
      };
      const hour = 3_600_000;
      const now = 500_000 * hour;
      const at = (time: number): string => JSON.stringify({ at: time });
      // As earlier versions wrote them, noted nowhere.
      await data.commit([put('sent', 'old', at(now - 80 * hour)), put('content', 'old', 'x')]);
      await data.commit([put('poll', 'young', at(now - 80 * hour)), put('taken', 'young', at(now - 60 * hour))]);
      await sweep(data, now, 30);
      expect(texts(await data.read('sent', ['old']))).toEqual([undefined]);
      expect(texts(await data.read('content', ['old']))).toEqual([undefined]);
      const written = Array.from({ length: 250 }, (_, n) => n);
      await data.commit(
        written.flatMap((n) => [
          put('taken', `a${n}`, at(now)),
          put('taken', `b ${n}`, at(now)),
          dueChange('taken', [`a${n}`, `b ${n}`], now),
        ]),
      );
      await data.commit([put('sent', 'again', at(now)), dueChange('sent', ['again'], now - 70 * hour)]);
      asked.length = 0;
      await sweep(data, now + 13 * hour, 30);
      expect(asked).toEqual(['whole', 'secret', 'missing', 'due', 'again', 'young']);
      expect(texts(await data.read('taken', ['young', 'a1', 'b 249']))).toEqual([undefined, at(now), at(now)]);
      expect(texts(await data.read('sent', ['again']))).toEqual([at(now)]);
      await sweep(data, now + 74 * hour, 30);
      expect((await data.scan('taken', '', 10)).map(({ id }) => id)).toEqual([]);
      expect(texts(await data.read('poll', ['young']))).toEqual([at(now - 80 * hour)]);
      await sweep(data, now + 91 * 24 * hour, 30);
      expect(texts(await data.read('poll', ['young']))).toEqual([undefined]);
      expect((await data.scan('due', '', 10)).map(({ id }) => id)).toEqual(['whole']);
    });

    it('removes secrets of messages by their day, and messages that nobody handed over', async () => {
      const data = await open(profileId, 1);
      const day = 24 * 3_600_000;
      const now = 20_000 * day + 1;
      const secrets = Array.from({ length: 250 }, (_, n) => put('secret', `${dayOf(now - 31 * day)} a ${n}`, 'x'));
      await data.commit([...secrets, put('secret', `${dayOf(now - 30 * day)} a young`, 'x')]);
      await data.commit([
        put('missing', 'old', JSON.stringify({ at: now - 15 * day })),
        put('missing', 'young', JSON.stringify({ at: now - 13 * day })),
      ]);
      await sweep(data, now, 30);
      expect((await data.scan('secret', '', 10)).map(({ id }) => id)).toEqual([`${dayOf(now - 30 * day)} a young`]);
      expect((await data.scan('missing', '', 10)).map(({ id }) => id)).toEqual(['young']);
    });

    it('lets nobody erase whose epoch has passed', async () => {
      await open(profileId, 1);
      const data = await open(profileId, 2);
      await data.commit([put('signal', 'a', '1')]);
      await expect(store.erase(profileId, { epoch: 1 })).rejects.toThrow(StaleEpoch);
      expect(texts(await data.read('signal', ['a']))).toEqual(['1']);
    });

    it('writes the last of many values for one id, and nothing of a removed one', async () => {
      const data = await open(profileId, 1);
      await data.commit([put('sent', 'A', '1'), gone('sent', 'A'), put('sent', 'B', '1'), put('sent', 'B', '2')]);
      await data.commit([put('sent', 'C', ''), gone('sent', 'never')]);
      await data.settled();
      store = await made.reopen();
      const again = await open(profileId, 2);
      expect(texts(await again.read('sent', ['A', 'B', 'C', 'B']))).toEqual([undefined, '2', '', '2']);
    });
  });
}
