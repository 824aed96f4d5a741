import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  CountContacts,
  EraseInsightsData,
  GetAutomationStatistics,
  GetBroadcastStatistics,
  GetContactStatistics,
  GetDashboard,
  GetMessageStatistics,
  GetMessageTrend,
  GetResponseTime,
  type Caller,
  type Operation,
} from '@messaging-gateway/contracts';
import { testCaller, type TestService } from '@messaging-gateway/service/testing';
import { eventually } from '@messaging-gateway/testing';
import { v7 } from 'uuid';
import { progress, receive, send, testStatistics, type Chat, type Others } from '../testing/statistics-service.ts';

let service: TestService;
let others: Others;
beforeAll(async () => {
  ({ service, others } = await testStatistics());
});
afterAll(() => service.stop());

const minute = 60_000;
const day = 86_400_000;

function newChat(caller: Caller, given: Partial<Chat> = {}): Chat {
  const chat = { caller, profileId: v7(), conversationId: v7(), ...given };
  others.profiles.add(chat.profileId);
  return chat;
}

async function read<Body = Record<string, unknown>>(
  contract: Operation,
  caller: Caller,
  query: Record<string, unknown> = {},
): Promise<Body> {
  return (await service.call(contract, { caller, query })).body as Body;
}
const total = async (caller: Caller, query: Record<string, unknown> = {}): Promise<number> =>
  (await read<{ total: number }>(GetMessageStatistics, caller, query)).total;

interface Trend {
  readonly items: { readonly period: string; readonly incoming: number; readonly outgoing: number }[];
}
interface Waits {
  readonly count: number;
  readonly average: number | null;
  readonly median: number | null;
  readonly p95: number | null;
  readonly byHour: (number | null)[];
  readonly profiles: { readonly profileId: string; readonly count: number; readonly average: number }[];
}

/** Noon of a day, so that nothing of a test lies on another one. */
const noon = (): number => Math.floor(service.clock.now() / day) * day - day / 2;

describe('messages', () => {
  it('are counted by direction, type and status, whichever comes first', async () => {
    const caller = testCaller();
    const chat = newChat(caller);
    const at = noon();
    await receive(service, chat, at);
    await send(service, chat, at + minute, { status: 'delivered' });
    const later = await send(service, chat, at + 2 * minute);
    const failed = await send(service, chat, at + 3 * minute, { origin: 'broadcast' });
    await progress(service, chat, failed, 'failed');
    await progress(service, chat, later, 'read');
    await progress(service, chat, later, 'delivered');
    const ahead = v7({ msecs: at });
    await progress(service, chat, ahead, 'read');
    const body = await read<Record<string, Record<string, number>>>(GetMessageStatistics, caller);
    expect(body).toMatchObject({
      total: 4,
      byDirection: { incoming: 1, outgoing: 3 },
      byType: { text: 4, image: 0, sticker: 0 },
      byStatus: { received: 1, delivered: 1, read: 1, failed: 1, sent: 0, queued: 0 },
    });
  });

  it('are counted exactly from one time until before another one, and the trend adds up to them', async () => {
    const caller = testCaller();
    const chat = newChat(caller);
    const begun = noon() - 3 * day;
    const times = [0, 1, 7 * minute, 15 * minute, 61 * minute, day, day + 1, 2 * day + 5 * minute];
    await Promise.all(times.map((offset) => receive(service, chat, begun + offset)));
    for (const from of [0, 1, 2, 8 * minute, 62 * minute, day + 1]) {
      for (const to of [1, 15 * minute, 61 * minute + 1, day + 1, day + 2, 3 * day]) {
        if (to < from) continue;
        const query = { from: new Date(begun + from).toISOString(), to: new Date(begun + to).toISOString() };
        const expected = times.filter((offset) => offset >= from && offset < to).length;
        expect([query, await total(caller, query)]).toEqual([query, expected]);
        const { items } = await read<Trend>(GetMessageTrend, caller, { ...query, granularity: 'hour' });
        expect([query, items.reduce((so, { incoming }) => so + incoming, 0)]).toEqual([query, expected]);
      }
    }
  });

  it('are shown by days of a zone, those of the organization unless asked otherwise, empty ones included', async () => {
    const caller = testCaller();
    const chat = newChat(caller);
    const midnight = Math.floor(service.clock.now() / day) * day - 2 * day;
    // 23:45 and 00:15 in Kathmandu, 18:00 and 18:30 in UTC.
    await receive(service, chat, midnight + 18 * 60 * minute);
    await send(service, chat, midnight + 18.5 * 60 * minute);
    const dates = {
      from: new Date(midnight).toISOString().slice(0, 10),
      to: new Date(midnight + 3 * day).toISOString().slice(0, 10),
    };
    const kathmandu = await read<Trend>(GetMessageTrend, caller, { ...dates, timezone: 'Asia/Kathmandu' });
    const begin = (offset: number): string => new Date(midnight + offset * day - 345 * minute).toISOString();
    expect(kathmandu.items).toEqual([
      { period: begin(0), incoming: 1, outgoing: 0 },
      { period: begin(1), incoming: 0, outgoing: 1 },
      { period: begin(2), incoming: 0, outgoing: 0 },
    ]);
    others.timezone = 'Asia/Kathmandu';
    expect(await read<Trend>(GetMessageTrend, caller, dates)).toEqual(kathmandu);
    others.timezone = 'UTC';
    const utc = await read<Trend>(GetMessageTrend, caller, dates);
    expect(utc.items.map(({ incoming, outgoing }) => [incoming, outgoing])).toEqual([
      [1, 1],
      [0, 0],
      [0, 0],
    ]);
  });

  it('are those of the own organization, and for a key those of its profiles together', async () => {
    const [caller, stranger] = [testCaller(), testCaller()];
    const [one, two, three] = [newChat(caller), newChat(caller), newChat(caller)];
    for (const chat of [one, one, two, three]) await receive(service, chat, noon());
    expect(await total(stranger)).toBe(0);
    expect(await total(caller)).toBe(4);
    expect(await total(caller, { profileId: one.profileId })).toBe(2);
    const limited = { ...caller, profileIds: [one.profileId, two.profileId] };
    expect(await total(limited)).toBe(3);
    expect(await total(limited, { profileId: two.profileId })).toBe(1);
    await expect(total(limited, { profileId: three.profileId })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(total(caller, { profileId: v7() })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await total({ ...caller, profileIds: [] })).toBe(0);
    expect(await read(GetDashboard, limited)).toMatchObject({ messages: { total: 3, incoming: 3, outgoing: 0 } });
  });

  it('are refused for periods that are none', async () => {
    const caller = testCaller();
    const refused = async (query: Record<string, string>, contract: Operation = GetMessageTrend): Promise<string[]> => {
      const error = await service.call(contract, { caller, query }).then(
        () => undefined,
        (fault: unknown) => fault as { code: string; details: { path: string }[] },
      );
      expect(error?.code).toBe('VALIDATION_ERROR');
      return error?.details.map(({ path }) => path) ?? [];
    };
    expect(await refused({ from: '2026-02-02', to: '2026-02-01' })).toEqual(['query.to']);
    expect(await refused({ from: '2024-01-01', to: '2026-02-01' })).toEqual(['query.from']);
    expect(await refused({ from: '2026-01-01', to: '2026-02-02', granularity: 'hour' })).toEqual(['query.from']);
    expect(await refused({ from: '1969-12-31', to: '1970-01-02' }, GetResponseTime)).toEqual(['query.from']);
    expect(await refused({ to: '1970-01-02' }, GetMessageStatistics)).toEqual(['query.to']);
    expect(await read<Trend>(GetMessageTrend, caller, { from: '2026-02-01', to: '2026-02-01' })).toEqual({ items: [] });
  });
});

describe('response times', () => {
  it('are from the first message that waits to what somebody says next; what goes to many, later or by itself is no answer', async () => {
    const caller = testCaller();
    const chat = newChat(caller);
    const at = noon();
    await receive(service, chat, at);
    await receive(service, chat, at + 10 * 1000);
    for (const origin of ['broadcast', 'bulk', 'schedule'] as const)
      await send(service, chat, at + 15 * 1000, { origin });
    await send(service, chat, at + 16 * 1000, { isCode: true });
    await send(service, chat, at + 20 * 1000, { origin: 'automation' });
    await send(service, chat, at + 30 * 1000);
    await send(service, chat, at + 40 * 1000);
    const group = { ...chat, conversationId: v7(), jid: '120363041234567890@g.us' };
    await receive(service, group, at);
    await send(service, group, at + 1000);
    const byHour = Array.from({ length: 24 }, () => null as number | null);
    byHour[12] = 30;
    const one = { count: 1, average: 30, median: 30, p95: 30 };
    expect(await read<Waits>(GetResponseTime, caller)).toEqual({
      ...one,
      byHour,
      profiles: [{ profileId: chat.profileId, ...one }],
    });
    expect(await read<Waits>(GetResponseTime, caller, { include: 'automation' })).toMatchObject({
      count: 1,
      average: 20,
    });
    const { byHour: inTokyo } = await read<Waits>(GetResponseTime, caller, { timezone: 'Asia/Tokyo' });
    expect(inTokyo.findIndex((hour) => hour !== null)).toBe(21);
  });

  it('do not end with what fails, and are nothing without data', async () => {
    const caller = testCaller();
    const chat = newChat(caller);
    const nothing = { count: 0, average: null, median: null, p95: null, profiles: [] };
    expect(await read<Waits>(GetResponseTime, caller)).toEqual({
      ...nothing,
      byHour: Array.from({ length: 24 }, () => null),
    });
    const at = noon();
    await receive(service, chat, at);
    const first = await send(service, chat, at + 1000);
    expect(await read<Waits>(GetResponseTime, caller)).toMatchObject({ count: 1, average: 1 });
    await progress(service, chat, first, 'failed');
    expect(await read<Waits>(GetResponseTime, caller)).toMatchObject({ count: 0 });
    await send(service, chat, at + 5000);
    expect(await read<Waits>(GetResponseTime, caller)).toMatchObject({ count: 1, average: 5 });
  });
});

describe('a figure that others count', () => {
  it('is asked of them', async () => {
    const caller = testCaller();
    newChat(caller);
    await receive(service, newChat(caller), service.clock.now() - minute);
    expect(await read(GetDashboard, caller)).toMatchObject({
      messages: { total: 1, incoming: 1, outgoing: 0 },
      contacts: { total: 3 },
      broadcasts: { total: 2, running: 1 },
    });
    expect(await read(GetBroadcastStatistics, caller)).toMatchObject({
      byStatus: { running: 1, completed: 1, draft: 0 },
      messages: { sent: 9, failed: 1, delivered: 8, read: 4 },
      rates: { sent: 0.9, failed: 0.1, delivered: 0.8, read: 0.4 },
    });
    expect(await read(GetAutomationStatistics, caller)).toMatchObject({ total: 1, triggered: 3 });
    const contacts = await read<{ new: object[]; growth: { total: number }[] }>(GetContactStatistics, caller);
    expect(contacts).toMatchObject({ total: 3, withTags: 1, withoutTags: 2, active: 1 });
    expect(contacts.new).toHaveLength(31);
    expect(contacts.growth.at(-1)).toMatchObject({ total: 3 });
  });

  it('is refused while the one is away that counts it, who is named', async () => {
    const caller = testCaller();
    const { service: alone } = await testStatistics(730, [CountContacts]);
    try {
      expect((await alone.call(GetMessageStatistics, { caller })).status).toBe(200);
      await expect(alone.call(GetContactStatistics, { caller })).rejects.toMatchObject({
        code: 'SERVICE_UNAVAILABLE',
        message: expect.stringContaining('inbox'),
        details: { service: 'inbox' },
      });
    } finally {
      await alone.stop();
    }
  });
});

describe('an organization that is erased', () => {
  it('is counted no more, in the middle of what is told, and what is told later is left out', async () => {
    const [caller, stays] = [testCaller(), testCaller()];
    const [chat, other] = [newChat(caller), newChat(stays)];
    const at = noon();
    for (let n = 0; n < 5; n += 1) {
      await receive(service, chat, at + n);
      await receive(service, other, at + n);
    }
    const { organizationId, userId } = caller;
    const whose = { organizationId, userId, wholeOrganization: true };
    const telling = Promise.all(Array.from({ length: 20 }, (_, n) => receive(service, chat, at + 100 + n)));
    await service.ask(EraseInsightsData, whose);
    await telling;
    await service.ask(EraseInsightsData, whose);
    await receive(service, chat, at + 1000);
    expect(await total(caller)).toBe(0);
    expect(await total(stays)).toBe(5);
    const tables = await service.sql.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.columns
        WHERE table_schema = 'insights' AND column_name = 'organization_id' AND table_name <> 'statistics_erased'
          -- What is to be told waits for identity, which is not here: notifications have a test of their own for that.
          AND table_name NOT LIKE 'notification%' AND table_name NOT LIKE 'audience%'`,
    );
    for (const { name } of tables)
      expect([
        name,
        await service.sql.query(`SELECT 1 FROM insights.${name} WHERE organization_id = $1`, [organizationId]),
      ]).toEqual([name, []]);
  });
});

describe('messages from before they were counted', () => {
  it('are taken in once by itself, and those that were told meanwhile count once', async () => {
    const { service: fresh, others: known } = await testStatistics(40);
    try {
      const caller = testCaller();
      const chat = { caller, profileId: v7(), conversationId: v7() };
      known.profiles.add(chat.profileId);
      const now = fresh.clock.now();
      const keep = async (n: number): Promise<void> => {
        const at = now - (n + 1) * 2 * day;
        const told = await receive(fresh, chat, at);
        known.stored.push({
          organizationId: caller.organizationId,
          messageId: n % 2 === 0 ? told : v7({ msecs: at }),
          profileId: chat.profileId,
          conversationId: chat.conversationId,
          at: new Date(at).toISOString(),
          direction: 'incoming',
          isPrivate: true,
          type: 'text',
          status: 'received',
          origin: null,
          isCode: false,
        });
      };
      await Promise.all(Array.from({ length: 25 }, (_, n) => keep(n)));
      known.stored.sort((one, other) => (one.messageId < other.messageId ? -1 : 1));
      const query = { from: new Date(now - 390 * day).toISOString() };
      const count = async (): Promise<number> =>
        ((await fresh.call(GetMessageStatistics, { caller, query })).body as { total: number }).total;
      // Within 40 days: 20 told, of which half are stored under the same id.
      fresh.clock.advance(5000);
      await eventually(async () => ((await count()) === 30 ? true : undefined));
      expect(
        await fresh.sql.query('SELECT 1 FROM insights.statistics_filling WHERE ended_at IS NOT NULL'),
      ).toHaveLength(1);
    } finally {
      await fresh.stop();
    }
  });
});
