import { batchWriter, observed } from './append-batch.ts';
import { CommandLanes } from './command-lanes.ts';
import { eraseSubject } from './erase-subject.ts';
import type { EventStore } from './event-store.ts';
import { journalLine } from './journal-line.ts';
import { stateLoader } from './load-states.ts';
import { snapshots } from './snapshots.ts';
import { StateCache, storedStreams } from './decide-group.ts';
import type { EventStoreOptions } from './store-options.ts';
import { streamCatalogue } from './event-codec.ts';
import { subjectKeys } from './subject-keys.ts';
import { writerPool } from './writer-pool.ts';

/** So long the end waits for what is not settled yet, milliseconds. */
const closeMs = 10_000;

/** Opens the journal of a service for writing. Nothing is sent to the database before the first call. */
export function openEventStore(options: EventStoreOptions): EventStore {
  const { schema, streams, inlineViews, guards, encryption, clock } = options;
  const line = journalLine(options.pool, schema);
  const pool = writerPool(options.pool, 5);
  const giveUp = new AbortController();
  const catalogue = streamCatalogue(streams);
  const keys = subjectKeys(options.pool, schema, encryption);
  const cache = new StateCache(options.cachedStates ?? 10_000);
  const kept = snapshots(pool, schema, keys);
  const loader = stateLoader({ pool, schema, catalogue, keys, snapshots: kept });
  const written = batchWriter({ pool, schema, guards, views: inlineViews, line, signal: giveUp.signal });
  const writer = observed(written, options.onWritten);
  const onFault = options.onFault ?? (() => undefined);
  const { doorbell, isNews = () => true, completed = (given) => given, appended = () => undefined } = options;
  const tools = { loader, writer, keys, line, cache, snapshots: kept, views: inlineViews, clock, doorbell, isNews };
  const guardNames = new Set(guards.map(({ name }) => name));
  const lanes = new CommandLanes({ ...tools, guardNames, completed, appended, onFault });
  const stopForgetting = keys.onErased((subject) => cache.forget(subject));
  const stopClearing = line.onChange(() => {
    cache.clear();
    keys.clear();
  });
  let closing: Promise<void> | undefined;

  return {
    handle: lanes.handle,
    ...storedStreams({ pool, schema, loader, cache, keys, catalogue }),
    erase: (subject) => eraseSubject({ pool, schema, keys }, subject),
    close: () => {
      closing ??= close();
      return closing;
    },
  };

  async function close(): Promise<void> {
    const timer = setTimeout(() => giveUp.abort(), closeMs);
    await lanes.close();
    clearTimeout(timer);
    stopForgetting();
    stopClearing();
    await pool.end();
  }
}
