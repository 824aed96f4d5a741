import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EventStore } from '@messaging-gateway/event-sourcing';
import { Unavailable } from '@messaging-gateway/messaging';
import { silentLogger, testClock } from '@messaging-gateway/runtime';
import type { Fact } from '../engine/engine.ts';
import type { SessionData, SessionDataStore } from '../session-data/session-data-store.ts';
import { openStore, sessionsFolder, until } from '../testing/engine-harness.ts';
import { Recorder } from './recorder.ts';
import { traffic, type RecordFacts, type TrafficEvent } from './traffic.ts';

/** Streams in memory, behind a database that can be away or die after the append. */
class Journal {
  readonly streams = new Map<string, TrafficEvent[]>();
  fault: 'away' | 'lost-answer' | undefined;
  appends = 0;

  readonly handle = async (_type: unknown, id: string, command: RecordFacts): Promise<{ version: number }> => {
    if (this.fault === 'away') throw new Unavailable('The database is away.');
    const stream = this.streams.get(id) ?? [];
    const events = traffic.decide(command, stream.length);
    this.appends += events.length > 0 ? 1 : 0;
    this.streams.set(id, [...stream, ...events]);
    if (this.fault === 'lost-answer') throw new Unavailable('The answer got lost.');
    return { version: stream.length + events.length };
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
  const started = (data: SessionData, journal: Journal): Recorder => {
    const recorder = new Recorder({
      organizationId: randomUUID(),
      data,
      store: journal as unknown as EventStore,
      clock: testClock(),
      log: silentLogger,
    });
    recorder.start();
    return recorder;
  };
  const keep = async (recorder: Recorder, data: SessionData, ...ids: string[]): Promise<void> => {
    const { changes, kept } = recorder.keep(ids.map(receipt));
    await data.commit(changes);
    kept();
  };
  const left = async (data: SessionData): Promise<number> => (await data.scan('inbox', '', 10_000)).length;
  const numbers = (count: number): string[] => Array.from({ length: count }, (_, n) => `R${n}`);

  it('brings facts into the journal in their order, many to an append, and off the disk', async () => {
    const data = await store.open(randomUUID(), 1);
    const journal = new Journal();
    const recorder = started(data, journal);
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
    const first = started(data, journal);
    await keep(first, data, ...numbers(250));
    await first.stop();
    expect(await left(data)).toBe(250);
    journal.fault = undefined;
    const second = started(data, journal);
    await until(() => journal.ids().length === 250);
    expect(journal.ids()).toEqual(numbers(250));
    await second.stop();
  });

  it('writes each once when the answer to an append got lost', async () => {
    const data = await store.open(randomUUID(), 1);
    const journal = new Journal();
    journal.fault = 'lost-answer';
    const first = started(data, journal);
    await keep(first, data, ...numbers(30));
    await until(() => journal.ids().length === 30);
    await first.stop();
    journal.fault = undefined;
    const second = started(data, journal);
    await keep(second, data, 'last');
    await until(async () => (await left(data)) === 0);
    expect(journal.ids()).toEqual([...numbers(30), 'last']);
    await second.stop();
  });
});
