import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  CancelBroadcast,
  ConnectionReady,
  ContactUpdated,
  GetBroadcastStats,
  ListSuppressions,
  MessageReceived,
  MessageSettled,
  MessageStatusChanged,
  NamesOfPeople,
  type DataOf,
} from '@messaging-gateway/contracts';
import * as fc from 'fast-check';
import { v7 } from 'uuid';
import { broadcastsTest, person, type BroadcastsTest } from './broadcasts.fixture.ts';

let test: BroadcastsTest;
/** Phones of runs differ: all runs are of one organization. */
let run = 0;

const minute = 60_000;
const hour = 60 * minute;

/** Fate of one recipient. A deleted contact writes nothing: nobody could tell later who it was. */
const fate = fc
  .record({
    settled: fc.constantFrom('none', 'sent', 'failed', 'expired'),
    receipts: fc.subarray(['unknown', 'delivered', 'read', 'played'] as const),
    wrote: fc.array(
      fc.record({
        after: fc.constantFrom(-minute, minute, 71 * hour, 80 * hour),
        body: fc.constantFrom('Hm', 'stop', 'start'),
      }),
      { maxLength: 3 },
    ),
    contact: fc.array(fc.constantFrom('blocked', 'renamed', 'deleted', 'merged'), { maxLength: 2 }),
    twice: fc.boolean(),
  })
  .map((one) => ({
    ...one,
    // Of a contact that is gone nothing more is told.
    contact: one.contact.slice(0, one.contact.findIndex((change) => ends.has(change)) + 1 || undefined),
    // Never handed over, so nobody has it.
    receipts: one.settled === 'expired' ? [] : one.receipts,
    wrote: one.contact.includes('deleted') ? [] : one.wrote,
  }));
const ends: ReadonlySet<string> = new Set(['deleted', 'merged']);
type Fate = typeof fate extends fc.Arbitrary<infer T> ? T : never;

type Fact = () => Promise<unknown>;
/** Facts of one kind keep their order; kinds know nothing of each other. */
type History = Readonly<Record<'settled' | 'status' | 'received' | 'contacts' | 'connection', readonly Fact[]>>;

interface Ready {
  readonly id: string;
  readonly messages: readonly { readonly messageId: string; readonly to: string }[];
  readonly contacts: readonly string[];
  /** When the messages were released. */
  readonly since: number;
}

/** A broadcast whose messages are all on their way, and nothing is known of them. */
async function ready(count: number): Promise<Ready> {
  const { others, service } = test;
  others.begin();
  others.outcome = () => 'silent';
  run += 1;
  others.audience = Array.from({ length: count }, (_, number) => person(run * 100 + number));
  const variants = ['one', 'two'].map((name) => ({ name, text: name }));
  const { id } = await test.create({ message: { type: 'text', variants } });
  const since = service.clock.now();
  await test.start(id);
  for (let number = 1; number <= count; number += 1) {
    await test.passUntil(() => others.accepted.length >= number, 1000);
    await service.sql.query(`UPDATE audience SET status = 'unknown' WHERE broadcast_id = $1 AND status = 'released'`, [
      id,
    ]);
    await service.sql.query('UPDATE broadcasts SET held_by = NULL, next_look_at = $2 WHERE broadcast_id = $1', [
      id,
      new Date(service.clock.now()),
    ]);
  }
  // Whoever was waiting for a message has given up: from now on what comes back stays here.
  service.clock.advance(5000);
  await test.passUntil(async () => {
    const [row] = await service.sql.query('SELECT next_look_at FROM broadcasts WHERE broadcast_id = $1', [id]);
    return Number(row?.['next_look_at']) > service.clock.now();
  });
  others.isConnected = false;
  await test.passUntil(async () => (await test.get(id)).pausedReason === 'not_connected', 1000);
  const contacts = others.audience.map(({ contactId }) => contactId);
  return { id, messages: [...others.accepted], contacts, since };
}

function historyOf(fates: readonly Fate[], { messages, contacts, since }: Ready): History {
  const { service, profileId, caller } = test;
  const { organizationId } = caller;
  const about = { organizationId, profileId };
  const sentAt = since + hour;
  const iso = (time: number): string => new Date(time).toISOString();
  const history = { settled: [] as Fact[], status: [] as Fact[], received: [] as Fact[], contacts: [] as Fact[] };
  const [first] = contacts;
  fates.forEach(({ settled, receipts, wrote, contact, twice }, index) => {
    const { messageId, to } = messages[index] ?? { messageId: '', to: '' };
    const note = (kind: keyof typeof history, facts: readonly Fact[]): void =>
      void history[kind].push(...facts, ...(twice ? facts : []));
    const told = { messageId, profileId, origin: 'broadcast', at: iso(sentAt) } as const;
    const error = { code: settled === 'expired' ? 'EXPIRED' : 'REJECTED', message: 'No.' };
    const outcome =
      settled === 'sent'
        ? ({ ...told, status: 'sent', attempts: 2 } as const)
        : ({ ...told, status: 'failed', attempts: settled === 'expired' ? 0 : 3, error } as const);
    if (settled !== 'none') note('settled', [() => service.emit(MessageSettled, outcome, about)]);
    const status = { messageId, networkMessageId: '3EB0', to, type: 'text', conversationId: v7() } as const;
    note(
      'status',
      receipts.map((one, rank) => () => {
        const data = { ...status, status: one, previousStatus: 'sent', origin: 'broadcast' } as const;
        return service.emit(MessageStatusChanged, data, { ...about, time: iso(sentAt + rank * 1000) });
      }),
    );
    note(
      'received',
      wrote.map(({ after, body }, number) => {
        const timestamp = iso(sentAt + after + number * 1000);
        const data = {
          ...(MessageReceived.example as DataOf<typeof MessageReceived>),
          id: v7(),
          from: to,
          body,
          timestamp,
        };
        return () => service.emit(MessageReceived, data, about);
      }),
    );
    const id = contacts[index] ?? '';
    const phone = to.split('@')[0] ?? '';
    const changes = {
      blocked: { change: 'updated', blocked: true, name: 'B', phone },
      renamed: { change: 'updated', blocked: false, name: `Renamed ${index}`, phone },
      deleted: { change: 'deleted', phone },
      merged: { change: 'deleted', mergedInto: first },
    } as const;
    const isFirst = index === 0;
    note(
      'contacts',
      contact
        // The first is whom others turn out to be: who comes back of the two is left out.
        .filter((change) => (!isFirst || change === 'renamed') && !(change === 'merged' && settled === 'expired'))
        .map((change) => () => {
          const data = { id, profileId: null, ...changes[change] } as DataOf<typeof ContactUpdated>;
          return service.emit(ContactUpdated, data, { organizationId, key: id });
        }),
    );
  });
  const connection = [() => service.emit(ConnectionReady, ConnectionReady.example as never, about)];
  return { ...history, connection };
}

/** Everything that can be seen of a broadcast, without what differs from run to run. */
async function seen({ id, messages, contacts }: Ready): Promise<unknown> {
  const { call, caller, recipients, service } = test;
  const stats = (await call(GetBroadcastStats, { params: { id } })).body as { status: string };
  const { items } = (await call(ListSuppressions, { query: { limit: 200 } })).body as {
    items: { phone: string | null; reason: string | null }[];
  };
  const rows = await service.sql.query(
    `SELECT place, status, attempts, receipt, replied, error ->> 'code' AS code, variant, name,
        jid IS NULL AS forgotten, contact_id FROM audience WHERE broadcast_id = $1 AND organization_id = $2 ORDER BY place`,
    [id, caller.organizationId],
  );
  // Nothing of it goes out beside those of the next run.
  await call(CancelBroadcast, { params: { id } }).catch(() => undefined);
  const listed = messages.map(({ to }) => items.find(({ phone }) => `${phone}@c.us` === to)?.reason);
  return {
    stats: { ...stats, status: '' },
    rows: rows.map((row) => ({ ...row, contact_id: contacts.indexOf(String(row['contact_id'])), name: nameless(row) })),
    shown: (await recipients(id)).map(({ status, attempts, error, variant }) => [
      status,
      attempts,
      error?.code,
      variant,
    ]),
    listed,
  };
}
const nameless = (row: Record<string, unknown>): unknown => String(row['name']).replace(/^Person \d+$/, 'Person');

describe.each([
  { who: 'campaigns', replicas: 1, runs: 8 },
  { who: 'campaigns in two replicas', replicas: 2, runs: 4 },
])('$who', ({ replicas, runs }) => {
  beforeAll(async () => {
    test = await broadcastsTest({}, { replicas });
    await test.service.fake(NamesOfPeople, ({ jids }) => ({
      people: jids.map((jid) => ({ phones: [jid.slice(0, -'@c.us'.length)], lids: [] })),
    }));
  });
  afterAll(() => test.stop());

  it('end the same in whichever order the kinds of facts about a broadcast arrive', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fate, { minLength: 1, maxLength: 4 }),
        fc.array(fc.nat(4), { minLength: 30, maxLength: 30 }),
        async (fates, choices) => {
          const inTurn = await ready(fates.length);
          for (const facts of Object.values(historyOf(fates, inTurn))) for (const fact of facts) await fact();
          const expected = await seen(inTurn);

          const shuffled = await ready(fates.length);
          const queues = Object.values(historyOf(fates, shuffled)).map((facts) => [...facts]);
          for (let turn = 0; queues.some((queue) => queue.length > 0); turn += 1) {
            const open = queues.filter((queue) => queue.length > 0);
            await open[(choices[turn % choices.length] ?? 0) % open.length]?.shift()?.();
          }
          expect(await seen(shuffled)).toEqual(expected);

          const together = await ready(fates.length);
          const kinds = Object.values(historyOf(fates, together));
          // Each kind in its order, all at the same time.
          await Promise.all(
            kinds.map(async (facts) => {
              for (const fact of facts) await fact();
            }),
          );
          expect(await seen(together)).toEqual(expected);
        },
      ),
      { numRuns: runs, endOnFailure: true },
    );
  });
});
