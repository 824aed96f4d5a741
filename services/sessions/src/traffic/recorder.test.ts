import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EventStore, JournalEntry } from '@messaging-gateway/event-sourcing';
import { Unavailable } from '@messaging-gateway/messaging';
import { silentLogger, testClock } from '@messaging-gateway/runtime';
import type { Fact } from '../engine/engine.ts';
import type { SessionData, SessionDataStore } from '../session-data/session-data-store.ts';
import { trafficTells } from './tells.ts';
import { openStore, sessionsFolder, until } from '../testing/engine-harness.ts';
import { withMedia } from '../testing/waiting-media.ts';
import { Recorder } from './recorder.ts';
import { factOf, traffic, type RecordFacts, type Traffic, type TrafficEvent } from './traffic.ts';

const publish = (entry: JournalEntry) => trafficTells.byType['MessageSeen']?.(entry as never) ?? [];

/** Streams in memory, behind a database that can be away or die after the append. */
class Journal {
  readonly streams = new Map<string, TrafficEvent[]>();
  fault: 'away' | 'lost-answer' | undefined;
  /** Events as an earlier version wrote them: without the ids of their facts. */
  isOld = false;
  appends = 0;

  readonly handle = async (_type: unknown, id: string, command: RecordFacts): Promise<{ state: Traffic }> => {
    if (this.fault === 'away') throw new Unavailable('The database is away.');
    const stream = this.streams.get(id) ?? [];
    const decided = traffic.decide(command, stream.reduce(traffic.evolve, traffic.initial));
    const events = this.isOld
      ? decided.map((event) => ({ ...event, data: factOf(event.data) }) as TrafficEvent)
      : decided;
    this.appends += events.length > 0 ? 1 : 0;
    const all = [...stream, ...events];
    this.streams.set(id, all);
    if (this.fault === 'lost-answer') throw new Unavailable('The answer got lost.');
    return { state: all.reduce(traffic.evolve, traffic.initial) };
  };

  ids(): string[] {
    return [...this.streams.values()]
      .flat()
      .flatMap(({ data }) => ('networkMessageId' in data ? [data.networkMessageId] : []));
  }
}

describe('the recorder', () => {
  let folder: Awaited<ReturnType<typeof sessionsFolder>>;
  let store: SessionDataStore;
  beforeAll(async () => {
    folder = await sessionsFolder();
    store = await openStore(folder.directory);
  });
  afterAll(async () => {
    await store.close();
    await folder.remove();
  });

  const receipt = (networkMessageId: string): Fact => ({
    kind: 'receipt',
    data: { profileId: randomUUID(), networkMessageId, status: 'delivered', at: '2026-01-01T00:00:00.000Z' },
  });
  const over = (data: SessionData, journal: Journal): Promise<Recorder> =>
    Recorder.over({
      organizationId: randomUUID(),
      data,
      store: journal as unknown as EventStore,
      clock: testClock(),
      log: silentLogger,
    });
  const started = async (data: SessionData, journal: Journal): Promise<Recorder> => {
    const recorder = await over(data, journal);
    recorder.start();
    return recorder;
  };
  const keep = async (recorder: Recorder, data: SessionData, ...ids: string[]): Promise<void> => {
    const keeping = recorder.keep(ids.map(receipt));
    await data.commit(keeping.changes());
    keeping.kept();
  };
  const left = async (data: SessionData): Promise<number> => (await data.scan('inbox', '', 10_000)).length;
  const numbers = (count: number): string[] => Array.from({ length: count }, (_, n) => `R${n}`);

  it('brings facts into the journal in their order, many to an append, and off the disk', async () => {
    const data = await store.open(randomUUID(), 1);
    const journal = new Journal();
    const recorder = await started(data, journal);
    await Promise.all(numbers(1_500).map((id) => keep(recorder, data, id)));
    await until(() => journal.ids().length === 1_500);
    expect(journal.ids()).toEqual(numbers(1_500));
    expect(journal.appends).toBeLessThan(300);
    await until(async () => (await left(data)) === 0);
    await recorder.stop();
  });

  it('keeps them while the journal is away, and over the end of the process', async () => {
    const data = await store.open(randomUUID(), 1);
    const journal = new Journal();
    journal.fault = 'away';
    const first = await started(data, journal);
    await keep(first, data, ...numbers(250));
    await first.stop();
    expect(await left(data)).toBe(250);
    journal.fault = undefined;
    const second = await started(data, journal);
    await until(() => journal.ids().length === 250);
    expect(journal.ids()).toEqual(numbers(250));
    await second.stop();
  });

  it('tells of a message when it came, however late the journal takes it', async () => {
    const data = await store.open(randomUUID(), 1);
    const journal = new Journal();
    journal.fault = 'away';
    const first = await started(data, journal);
    const keeping = first.keep([withMedia(data.profileId, 'late')]);
    await data.commit(keeping.changes());
    keeping.kept();
    const came = Date.now();
    await first.stop();
    journal.fault = undefined;
    const second = await started(data, journal);
    await until(() => journal.ids().length === 1);
    await second.stop();
    const [[event] = []] = journal.streams.values();
    const entryAt = (at: Date): JournalEntry => ({ ...event, at }) as unknown as JournalEntry;
    const [told] = publish(entryAt(new Date(came + 60_000)));
    expect(Math.abs(Date.parse(told?.time ?? '') - came)).toBeLessThan(30_000);
    expect(told?.data).not.toHaveProperty('arrivedAt');
    const soon = new Date(came - 60_000);
    expect(publish(entryAt(soon))[0]?.time).toBe(soon.toISOString());
  });

  it('writes each once when the answer to an append got lost', async () => {
    const data = await store.open(randomUUID(), 1);
    const journal = new Journal();
    journal.fault = 'lost-answer';
    const first = await started(data, journal);
    await keep(first, data, ...numbers(30));
    await until(() => journal.ids().length === 30);
    await first.stop();
    journal.fault = undefined;
    const second = await started(data, journal);
    await keep(second, data, 'last');
    await until(async () => (await left(data)) === 0);
    expect(journal.ids()).toEqual([...numbers(30), 'last']);
    await second.stop();
  });

  /** Written by whoever held the profile before, under an id of its own. */
  const written = (data: SessionData, id: string, name: string): Promise<void> =>
    data.commit([{ table: 'inbox', id, value: Buffer.from(JSON.stringify(receipt(name))) }]);
  const idsOn = async (data: SessionData): Promise<string[]> => (await data.scan('inbox', '', 100)).map(({ id }) => id);

  it.each([
    ['by their names', false],
    ['of an earlier version, by their number', true],
  ])('removes exactly those that the journal has, %s', async (_, isOld) => {
    const data = await store.open(randomUUID(), 1);
    const journal = new Journal();
    Object.assign(journal, { isOld, fault: 'lost-answer' });
    const first = await over(data, journal);
    await keep(first, data, 'W', 'X', 'Y');
    first.start();
    await until(() => journal.appends === 1);
    await first.stop();
    const [, , last = ''] = await idsOn(data);
    // Came to the disk after the append: behind, and with ids in the append also between.
    await written(data, `${last}9`, 'behind');
    if (!isOld) await written(data, `${(await idsOn(data))[1]}5`, 'between');
    journal.fault = undefined;
    const second = await started(data, journal);
    await until(async () => (await left(data)) === 0);
    expect(journal.ids()).toEqual(['W', 'X', 'Y', ...(isOld ? [] : ['between']), 'behind']);
    await second.stop();
  });

  it('goes on behind what lies on the disk, though the clock was put back', async () => {
    const data = await store.open(randomUUID(), 1);
    await written(data, '02999999999999990', 'of a clock that was ahead');
    const journal = new Journal();
    const recorder = await over(data, journal);
    await keep(recorder, data, 'now');
    recorder.start();
    await until(() => journal.ids().length === 2);
    expect(journal.ids()).toEqual(['of a clock that was ahead', 'now']);
    await recorder.stop();
  });

  it('keeps the order of the commits, whoever hears of the end of them first', async () => {
    const data = await store.open(randomUUID(), 1);
    const journal = new Journal();
    const recorder = await started(data, journal);
    const [early, late] = [recorder.keep([receipt('early')]), recorder.keep([receipt('late')])];
    // Asked for at the commit: what was begun first need not be committed first.
    await Promise.all([data.commit(late.changes()), data.commit(early.changes())]);
    early.kept();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(journal.ids()).toEqual([]);
    late.kept();
    await until(() => journal.ids().length === 2);
    expect(journal.ids()).toEqual(['late', 'early']);
    await recorder.stop();
  });

  it('takes up much that lies on the disk', async () => {
    const data = await store.open(randomUUID(), 1);
    const journal = new Journal();
    const first = await over(data, journal);
    await Promise.all(numbers(3_500).map((id) => keep(first, data, id)));
    const second = await started(data, journal);
    await until(() => journal.ids().length === 3_500);
    expect(journal.ids()).toEqual(numbers(3_500));
    await until(async () => (await left(data)) === 0);
    await second.stop();
  });
});
