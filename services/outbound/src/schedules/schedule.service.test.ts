import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  CancelScheduledMessage,
  ListScheduledMessages,
  MessageFailed,
  MessageSent,
  ProfileDeleted,
  ScheduleMessage,
} from '@messaging-gateway/contracts';
import { testCaller } from '@messaging-gateway/service/testing';
import { v7 } from 'uuid';
import { laterTest, textTo, type LaterTest } from '../testing/later-test.ts';
import type { TestProfile } from '../testing/outbound-test.ts';

let test: LaterTest;
beforeAll(async () => void (test = await laterTest()));
afterAll(() => test.stop());

interface Shown {
  readonly id: string;
  readonly status: string;
  readonly late: boolean;
  readonly scheduledAt: string;
  readonly messageId: string | null;
  readonly sentAt: string | null;
  readonly error: { readonly code: string } | null;
}

const inTime = (ms: number): string => new Date(test.service.clock.now() + ms).toISOString();
async function schedule(profile: TestProfile, text: string, after: number, options: object = {}): Promise<Shown> {
  const body = { profileId: profile.profileId, ...textTo(text), scheduledAt: inTime(after) };
  return (await test.ask(profile, ScheduleMessage, { body, ...options })).body as Shown;
}
async function list(profile: TestProfile, query: object = {}) {
  const params = { id: profile.profileId };
  const { body } = await test.ask(profile, ListScheduledMessages, { params, query });
  return body as { items: Shown[]; nextCursor: string | null; total: number };
}
const only = async (profile: TestProfile): Promise<Shown> => (await list(profile)).items[0] as Shown;
const ended = async (profile: TestProfile): Promise<boolean> =>
  (await list(profile)).items.every(({ status }) => status !== 'pending');

describe('a scheduled message', () => {
  it('goes out when it is due, not before, and at most 5 s late', async () => {
    const profile = await test.profile();
    const made = await schedule(profile, 'at noon', 60_000);
    expect(made).toMatchObject({ status: 'pending', late: false, messageId: null, content: { text: 'at noon' } });
    await test.passUntil(() => ended(profile), 3000);
    const sent = await only(profile);
    expect(sent).toMatchObject({ id: made.id, status: 'sent', messageId: made.id, error: null });
    const delay = Date.parse(sent.sentAt ?? '') - Date.parse(made.scheduledAt);
    expect(delay).toBeGreaterThanOrEqual(0);
    const handedAt = test.network.times[test.network.handed.findIndex(({ messageId }) => messageId === made.id)];
    expect(handedAt).toBeGreaterThanOrEqual(Date.parse(made.scheduledAt));
    expect(test.textsOf(profile)).toEqual(['at noon']);
  });

  it('is told as one of a schedule', async () => {
    const profile = await test.profile();
    const { id } = await schedule(profile, 'told', 1000);
    await test.passUntil(() => ended(profile));
    const told = await test.service.published(MessageSent);
    expect(told.filter(({ data }) => data.messageId === id)).toMatchObject([{ data: { origin: 'schedule' } }]);
  });

  it('can be cancelled while it is pending, once', async () => {
    const profile = await test.profile();
    const { id } = await schedule(profile, 'never', 60_000);
    const cancel = () => test.ask(profile, CancelScheduledMessage, { params: { id } });
    expect(await cancel()).toMatchObject({ status: 204 });
    await expect(cancel()).rejects.toMatchObject({ code: 'CONFLICT' });
    const other = await schedule(profile, 'sent', 70_000);
    await test.passUntil(async () => (await list(profile, { status: 'sent' })).items.length === 1, 3000);
    expect(test.textsOf(profile)).toEqual(['sent']);
    expect((await list(profile, { status: 'cancelled' })).items).toMatchObject([{ id, messageId: null }]);
    await expect(test.ask(profile, CancelScheduledMessage, { params: { id: other.id } })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
  });

  it('waits for the connection of its profile, can be cancelled meanwhile, and is late', async () => {
    const profile = await test.profile();
    test.network.disconnected.add(profile.profileId);
    await schedule(profile, 'late', 1000);
    const { id } = await schedule(profile, 'cancelled', 1000);
    await test.passUntil(async () => {
      const rows = await test.service.sql.query(
        'SELECT 1 FROM schedules WHERE profile_id = $1 AND waiting_since IS NOT NULL',
        [profile.profileId],
      );
      return rows.length === 2;
    });
    await test.ask(profile, CancelScheduledMessage, { params: { id } });
    await profile.reconnect();
    await test.passUntil(() => ended(profile));
    expect(test.textsOf(profile)).toEqual(['late']);
    expect((await list(profile, { status: 'sent' })).items).toMatchObject([{ late: true }]);
  });

  it('goes out after those of its chat that were due before it, when all have waited for the connection', async () => {
    const profile = await test.profile();
    test.network.disconnected.add(profile.profileId);
    const delays = [5000, 3000, 1000, 4000, 2000];
    for (const delay of delays) await schedule(profile, `after ${delay}`, delay);
    await test.passUntil(async () => {
      const rows = await test.service.sql.query(
        'SELECT 1 FROM schedules WHERE profile_id = $1 AND waiting_since IS NOT NULL',
        [profile.profileId],
      );
      return rows.length === delays.length;
    });
    await profile.reconnect();
    await test.passUntil(() => ended(profile));
    expect(test.textsOf(profile)).toEqual([1000, 2000, 3000, 4000, 5000].map((delay) => `after ${delay}`));
  });

  it('fails when its profile was not connected for 24 hours', async () => {
    const profile = await test.profile();
    test.network.disconnected.add(profile.profileId);
    await schedule(profile, 'never', 1000);
    await test.passUntil(() => ended(profile), 600_000);
    expect(await only(profile)).toMatchObject({ status: 'failed', error: { code: 'PROFILE_NOT_CONNECTED' } });
    expect(test.textsOf(profile)).toEqual([]);
  });

  it('fails at the daily limit, and when the network says no', async () => {
    const full = await test.profile({ dailyMessageLimit: 0 });
    await schedule(full, 'too many', 1000);
    await test.passUntil(() => ended(full));
    expect(await only(full)).toMatchObject({ status: 'failed', error: { code: 'DAILY_LIMIT_REACHED' } });
    const told = (await test.service.published(MessageFailed)).filter(({ profileId }) => profileId === full.profileId);
    expect(told).toMatchObject([{ data: { origin: 'schedule', error: { code: 'DAILY_LIMIT_REACHED' } } }]);
    const profile = await test.profile();
    test.network.usual = { refuse: 'RECIPIENT_UNKNOWN' };
    await schedule(profile, 'to nobody', 1000);
    await test.passUntil(() => ended(profile), 3000);
    test.network.usual = 'acknowledge';
    expect(await only(profile)).toMatchObject({ status: 'failed', error: { code: 'RECIPIENT_UNKNOWN' } });
  });

  it('goes out also when the database breaks off just after it was accepted', async () => {
    const { service } = test;
    const profile = await test.profile();
    const { id } = await schedule(profile, 'accepted', 1000);
    // Whoever looks for its lane waits here, and is cut off once the message is in the table.
    await service.sql.transaction(async (sql) => {
      await sql.query('lock table departures in access exclusive mode');
      const isAccepted = async () =>
        (await service.sql.query('SELECT 1 FROM queue WHERE message_id = $1', [id])).length === 1;
      const cut = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%departures%'`;
      const end = Date.now() + 3000;
      let isCut = false;
      while (Date.now() < end && !isCut) {
        service.clock.advance(250);
        await new Promise((resolve) => setTimeout(resolve, 50));
        isCut = (await isAccepted()) && (await service.sql.query(cut)).length > 0;
      }
    });
    const end = service.clock.now() + 60_000;
    await test.passUntil(async () => (await ended(profile)) || service.clock.now() > end);
    expect(test.textsOf(profile)).toEqual(['accepted']);
  });

  it('fails when its profile is deleted', async () => {
    const profile = await test.profile();
    const { id } = await schedule(profile, 'never', 60_000);
    const { organizationId } = profile.caller;
    await test.service.emit(
      ProfileDeleted,
      { profileId: profile.profileId },
      {
        organizationId,
        profileId: profile.profileId,
      },
    );
    const rows = await test.service.sql.query('SELECT status FROM schedules WHERE schedule_id = $1', [id]);
    expect(rows).toEqual([{ status: 'failed' }]);
    await expect(list(profile)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('is made once under one Idempotency-Key', async () => {
    const profile = await test.profile();
    const resourceId = v7();
    const first = await schedule(profile, 'once', 30_000, { resourceId });
    const again = await schedule(profile, 'once', 30_000, { resourceId, repeated: true });
    expect(again).toEqual(first);
    expect((await list(profile)).total).toBe(1);
  });

  it('of the past, or too far away, or without a content of its type, is refused naming the field', async () => {
    const profile = await test.profile();
    const refused = async (change: object): Promise<unknown> => {
      const body = { profileId: profile.profileId, ...textTo('x'), scheduledAt: inTime(60_000), ...change };
      return test.ask(profile, ScheduleMessage, { body }).catch(({ details }: { details: unknown }) => details);
    };
    expect(await refused({ scheduledAt: inTime(-1) })).toMatchObject([{ path: 'body.scheduledAt' }]);
    expect(await refused({ scheduledAt: inTime(366 * 86_400_000) })).toMatchObject([{ path: 'body.scheduledAt' }]);
    expect(await refused({ scheduledAt: 'tomorrow' })).toMatchObject([{ path: 'body.scheduledAt' }]);
    expect(await refused({ content: {} })).toMatchObject([{ path: 'body.content.text' }]);
    expect(await refused({ content: { text: 'x', url: 'y' } })).toMatchObject([{ path: 'body.content.url' }]);
    expect(await refused({ type: 'carol' })).toMatchObject([{ path: 'body.type' }]);
    expect(await refused({ to: 'nobody' })).toMatchObject([{ path: 'body.to' }]);
    expect(await refused({ type: 'poll', content: { question: 'q', options: ['a'] } })).toMatchObject([
      { path: 'body.content.options' },
    ]);
    expect((await list(profile)).total).toBe(0);
  });

  it('is seen by nobody else, and not through a key of other profiles', async () => {
    const profile = await test.profile();
    const { id } = await schedule(profile, 'mine', 60_000);
    const stranger = { ...profile, caller: testCaller() };
    const keyOfOther = { ...profile, caller: { ...profile.caller, profileIds: [v7()] } };
    await expect(list(stranger)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(schedule(stranger, 'x', 1000)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(test.ask(stranger, CancelScheduledMessage, { params: { id } })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await expect(list(keyOfOther)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(schedule(keyOfOther, 'x', 1000)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(test.ask(keyOfOther, CancelScheduledMessage, { params: { id } })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
  });

  it('stands in the list in the order of the times, in pages', async () => {
    const profile = await test.profile();
    for (const after of [50_000, 10_000, 30_000, 30_000, 20_000]) await schedule(profile, String(after), after);
    const seen: string[] = [];
    let cursor: string | null | undefined;
    do {
      const page = await list(profile, { limit: 2, ...(cursor && { cursor }) });
      expect(page.total).toBe(5);
      seen.push(...page.items.map(({ scheduledAt }) => scheduledAt));
      cursor = page.nextCursor;
    } while (cursor);
    expect(seen).toHaveLength(5);
    expect(seen).toEqual(seen.toSorted());
  });
});
