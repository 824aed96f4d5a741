import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encryptionKeys, systemClock, Unavailable } from '@messaging-gateway/runtime';
import { counter } from './testing/counter.ts';
import type { Counter, CounterCommand, CounterEvent } from './testing/counter.ts';
import { applyRetention, rebuildViews } from './index.ts';
import type { ReadEntry, StreamType, UnreadableEntry } from './index.ts';
import { logView, totalsView, viewTables } from './testing/totals-view.ts';
import { metadata, triedJournal } from './testing/tried-journal.ts';
import type { Replica, TriedJournal } from './testing/tried-journal.ts';

type Renamed = { type: 'Renamed'; data: { to: string } };
type NewerCommand = CounterCommand | { type: 'Rename'; to: string };

/** The counter of the next release: a kind of event more, and another shape of one that is known. */
const newer: StreamType<Counter, NewerCommand, CounterEvent | Renamed> = {
  ...counter,
  decider: {
    ...counter.decider,
    decide: (command, state) =>
      command.type === 'Rename'
        ? [{ type: 'Renamed', data: { to: command.to } }]
        : [...counter.decider.decide(command, state)],
    evolve: (state, event) => (event.type === 'Renamed' ? state : counter.decider.evolve(state, event)),
  },
  events: { ...counter.events, Renamed: { version: 1 } },
};
const withoutUpcaster = { ...counter, events: { ...counter.events, Marked: { version: 2 } } };
const newerShape = { ...counter, events: { ...counter.events, Marked: { version: 2, upcasters: { 1: same } } } };
const newStream = { ...counter, name: 'ledger' };
const nextStreams = [{ ...newerShape, events: { ...newerShape.events, Renamed: { version: 1 } } }, newStream];
const nextEncryption = encryptionKeys('n'.repeat(32), ['k'.repeat(32)]);
function same(data: Record<string, unknown>): Record<string, unknown> {
  return data;
}

let journal: TriedJournal;
let present: Replica;
let entries: readonly ReadEntry[];

/** Writes one of each kind that the present version cannot read, each between two that it can. */
beforeAll(async () => {
  journal = await triedJournal(viewTables);
  present = journal.replica();
  const next = journal.replica({ streams: [newer, newStream] });
  const shaped = journal.replica({ streams: [newerShape] });
  const rotated = journal.replica({ encryption: nextEncryption });
  const of = (subject: string) => ({ metadata: { organizationId: 'o1', subject } });
  let known = 0;
  const between = () => present.store.handle(counter, `known-${(known += 1)}`, { type: 'Count', by: 1 }, { metadata });
  await between();
  await next.store.handle(newer, 'renamed', { type: 'Rename', to: 'x' }, { metadata });
  await between();
  await next.store.handle(newStream, 'new', { type: 'Count', by: 1 }, { metadata });
  await between();
  await shaped.store.handle(newerShape, 'shaped', { type: 'Mark', mark: 'x' }, { metadata });
  await between();
  await rotated.store.handle(counter, 'rotated', { type: 'Count', by: 1, name: 'Ada' }, of('user:rotated'));
  await between();
  await present.store.handle(counter, 'torn', { type: 'Count', by: 1, name: 'Bob' }, of('user:torn'));
  await between();
  await present.store.handle(counter, 'no-object', { type: 'Count', by: 1 }, { metadata });
  await between();
  await present.store.handle(counter, 'changed', { type: 'Count', by: 1, name: 'Eve' }, { metadata });
  await between();
  await journal.pool.query(`
    UPDATE tried.subject_keys SET sealed = set_byte(sealed, 40, get_byte(sealed, 40) # 1) WHERE subject = 'user:torn';
    UPDATE tried.events SET data = '17' WHERE stream = 'counter-no-object';
    UPDATE tried.events SET data = jsonb_set(data, '{$personal,sealed}', '"AAAA"') WHERE stream = 'counter-changed';`);
  await Promise.all([next, shaped, rotated, present].map((one) => one.close()));
  present = journal.replica();
  const { rows } = await journal.pool.query<{ count: number }>('SELECT count(*)::int AS count FROM tried.events');
  // Transactions of other tests hold readers of the server back.
  do entries = await present.reader.after(undefined, 500);
  while (entries.length < (rows[0]?.count ?? 0) && (await sleep(10, true)));
});
afterAll(async () => {
  await present.close();
  await journal.end();
});

const unreadable = (): UnreadableEntry[] => entries.filter((entry) => entry.unreadable !== undefined);
const kinds = (): Record<string, string> =>
  Object.fromEntries(unreadable().map(({ stream, unreadable: { kind } }) => [stream, kind]));

describe('an entry that cannot be read', () => {
  it('keeps its place and says whether a newer version can read it, and what stands around it is read', () => {
    expect(kinds()).toEqual({
      'counter-renamed': 'newer',
      'ledger-new': 'newer',
      'counter-shaped': 'newer',
      'counter-rotated': 'newer',
      'counter-torn': 'damaged',
      'counter-no-object': 'damaged',
      'counter-changed': 'damaged',
    });
    expect(entries).toHaveLength(15);
    expect(entries.filter(({ stream }) => stream.includes('known')).every((entry) => 'data' in entry)).toBe(true);
    for (const entry of unreadable()) {
      expect(entry).toMatchObject({ version: 1, at: expect.any(Date), organizationId: 'o1' });
      expect(entry.unreadable.reason).not.toMatch(/Ada|Bob|Eve/);
    }
  });

  it('whose upcaster is missing is damaged', async () => {
    const replica = journal.replica({ streams: [withoutUpcaster] });
    await present.store.handle(counter, 'old', { type: 'Mark', mark: 'x' }, { metadata });
    await expect(replica.store.load(withoutUpcaster, 'old')).rejects.toThrow('no upcaster');
    await journal.pool.query("DELETE FROM tried.events WHERE stream = 'counter-old'");
    await replica.close();
  });

  it('refuses commands of its stream: later ones while a newer version runs, else for good', async () => {
    const count = (stream: string) => present.store.handle(counter, stream, { type: 'Count', by: 1 }, { metadata });
    for (const stream of ['renamed', 'shaped', 'rotated'])
      await expect(count(stream)).rejects.toBeInstanceOf(Unavailable);
    await expect(count('no-object')).rejects.toThrow('is damaged');
    expect((await count('known-1')).version).toBe(2);
    await journal.pool.query("DELETE FROM tried.events WHERE stream = 'counter-known-1' AND version = 2");
  });

  it('is passed over by retention', async () => {
    const options = { pool: journal.pool, schema: 'tried', streams: [counter], clock: systemClock, readUpTo: [] };
    expect(await applyRetention({ ...options, days: -1 })).toBe(0);
  });
});

describe('views', () => {
  it('are made anew by the newer version only, without what is damaged', async () => {
    const damaged: string[] = [];
    const options = {
      pool: journal.pool,
      schema: 'tried',
      clock: systemClock,
      inlineViews: [totalsView, logView],
      onDamaged: ({ stream }: UnreadableEntry) => damaged.push(stream),
    };
    await expect(
      rebuildViews({ ...options, streams: [counter], encryption: encryptionKeys('k'.repeat(32)) }),
    ).rejects.toBeInstanceOf(Unavailable);
    const { pool, close } = journal.replica({ encryption: nextEncryption });
    await rebuildViews({ ...options, pool, streams: nextStreams, encryption: nextEncryption });
    expect(new Set(damaged)).toEqual(new Set(['counter-changed', 'counter-no-object', 'counter-torn']));
    const { rows } = await journal.pool.query<{ count: number }>('SELECT count(*)::int AS count FROM tried.totals');
    expect(rows[0]?.count).toBe(10);
    await close();
  });
});
