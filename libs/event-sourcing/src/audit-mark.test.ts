import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { counter } from './testing/counter.ts';
import type { AuditMark, EventMetadata } from './journal-entry.ts';
import { metadata, triedJournal } from './testing/tried-journal.ts';
import type { Replica, TriedJournal } from './testing/tried-journal.ts';

let journal: TriedJournal;
let replica: Replica;
beforeAll(async () => {
  journal = await triedJournal();
  replica = journal.replica();
});
afterAll(async () => {
  await replica.close();
  await journal.end();
});

const origin = { ip: '192.0.2.77', userAgent: 'a browser of Ada' };
const marked = (subject: string): EventMetadata & { audit: AuditMark } => ({
  ...metadata,
  audit: { id: '0198c0de-0000-7000-8000-000000000001', action: 'counter.count', subject, origin },
});
const count = (stream: string, given: EventMetadata, name?: string) =>
  replica.store.handle(
    counter,
    stream,
    { type: 'Count', by: 1, ...(name !== undefined && { name }) },
    { metadata: given },
  );
const marksOf = async (stream: string): Promise<unknown[]> =>
  (await replica.store.read(counter, stream)).map((entry) => entry.metadata.audit);
const storedText = async (stream: string): Promise<string> =>
  JSON.stringify(
    (await journal.pool.query('SELECT * FROM tried.events WHERE stream = $1', [`counter-${stream}`])).rows,
  );

describe('the mark of the audit', () => {
  it('is read back as it was given, and its origin is stored encrypted', async () => {
    const given = marked('user:ada');
    const told: unknown[] = [];
    await replica.store.handle(
      counter,
      'kept',
      { type: 'Count', by: 1, name: 'Ada' },
      { metadata: given, onAppended: (events) => void told.push(...events.map((event) => event.metadata.audit)) },
    );
    expect(told).toEqual([given.audit]);
    expect(await marksOf('kept')).toEqual([given.audit]);
    const stored = await storedText('kept');
    expect(stored).toContain('counter.count');
    expect(stored).not.toContain('192.0.2.77');
    expect(stored).not.toContain('browser');
  });

  it('comes without a subject where there is no origin', async () => {
    const { origin: _, subject: __, ...audit } = marked('user:nobody').audit;
    await count('plain', { ...metadata, audit });
    expect(await marksOf('plain')).toEqual([audit]);
  });

  it('loses its origin with the key of its subject, what was there before and what comes later', async () => {
    const given = marked('user:erased');
    await count('erased', given, 'Ada');
    await replica.store.erase('user:erased');
    await count('erased', given, 'Ada');
    const { origin: _, ...left } = given.audit;
    expect(await marksOf('erased')).toEqual([left, left]);
    // The event itself lies under another key.
    expect((await replica.store.read(counter, 'erased')).map(({ data }) => data['name'])).toEqual(['Ada', 'Ada']);
    const other = journal.replica();
    expect((await other.store.read(counter, 'erased')).map((entry) => entry.metadata.audit)).toEqual([left, left]);
    await other.close();
  });

  it('does no harm to batches of many subjects', async () => {
    await Promise.all(Array.from({ length: 50 }, (_, n) => count(`many-${n}`, marked(`user:${n}`), `name ${n}`)));
    const marks = await Promise.all(Array.from({ length: 50 }, (_, n) => marksOf(`many-${n}`)));
    expect(marks).toEqual(Array.from({ length: 50 }, (_, n) => [marked(`user:${n}`).audit]));
  });
});
