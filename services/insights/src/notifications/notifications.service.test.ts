import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  AiHampered,
  AuditRecorded,
  BroadcastCompleted,
  BroadcastFailed,
  BroadcastHeld,
  ChatMuted,
  ConnectionReady,
  ConnectionUpdate,
  ConversationUpdated,
  conversationIdOf,
  CountUnreadNotifications,
  DailyLimitReached,
  DeleteAllNotifications,
  DeleteNotification,
  ListNotifications,
  MemberRemoved,
  MembersChanged,
  PreferencesChanged,
  ReadAllNotifications,
  ReadNotification,
  ScheduleMissed,
  WebhookDisabled,
  systemRoles,
  type Caller,
  type DataOf,
} from '@messaging-gateway/contracts';
import { testCaller } from '@messaging-gateway/service/testing';
import { v7 } from 'uuid';
import { notificationsTest, wanting, type NotificationsTest } from '../testing/notifications-test.ts';

let test: NotificationsTest;
beforeAll(async () => {
  test = await notificationsTest();
});
afterAll(() => test.stop());

const profileId = v7();
const about = ({ organizationId }: Caller) => ({ organizationId, profileId });
const login = (userId: string, ip: string, more: Partial<DataOf<typeof AuditRecorded>> = {}) => ({
  id: v7({ msecs: test.service.clock.now() }),
  action: 'auth.login',
  actor: { type: 'user' as const, id: userId },
  userId,
  resource: { type: 'session', id: v7() },
  ip,
  userAgent: 'Firefox/128.0',
  ...more,
});

describe('a new member', () => {
  it('receives nothing that happened before the membership, also when it is told only then', async () => {
    const owner = await test.join();
    const { service, identity } = test;
    const { organizationId } = owner;
    // Messages wait while identity is not available, until the member has joined.
    identity.isAway = true;
    await service.emit(MembersChanged, { organizationId, change: 'joined' }, { organizationId });
    await test.write(owner, profileId, 'Before');
    await service.emit(ConnectionUpdate, { status: 'logged_out', reason: 'LOGGED_OUT' }, about(owner));
    service.clock.advance(1000);
    const joinedAt = new Date(service.clock.now()).toISOString();
    service.clock.advance(1000);
    await test.write(owner, profileId, 'After');
    const member = await test.join({ organizationId, joinedAt });
    identity.isAway = false;
    await test.listed(owner, 2);
    await test.rested();
    const countsOf = ({ userId }: Caller): Promise<unknown[]> =>
      service.sql.query(
        'SELECT type, count FROM notifications WHERE organization_id = $1 AND user_id = $2 ORDER BY type',
        [organizationId, userId],
      );
    expect(await countsOf(owner)).toEqual([
      { type: 'connection', count: 1 },
      { type: 'message', count: 2 },
    ]);
    expect(await countsOf(member)).toEqual([{ type: 'message', count: 1 }]);
  });
});

describe('notifications', () => {
  it('are told of every kind to those who may know', async () => {
    const owner = await test.join();
    const { service } = test;
    const broadcast = { id: v7(), total: 10, sent: 8, failed: 2 };
    await test.write(owner, profileId, 'Hello');
    await service.emit(ConnectionReady, { phoneNumber: '4915187654321', pushName: 'Sales' }, about(owner));
    await service.emit(ConnectionUpdate, { status: 'reconnecting' }, about(owner));
    await service.emit(ConnectionUpdate, { status: 'logged_out', reason: 'LOGGED_OUT' }, about(owner));
    await service.emit(ConnectionUpdate, { status: 'failed', reason: 'BANNED' }, about(owner));
    await service.emit(BroadcastCompleted, broadcast, about(owner));
    await service.emit(BroadcastFailed, { ...broadcast, reason: 'PROFILE_DELETED' }, about(owner));
    await service.emit(BroadcastHeld, { id: broadcast.id, resumesAt: '2026-01-01T17:00:00.000Z' }, about(owner));
    const at = new Date(service.clock.now()).toISOString();
    await service.emit(ChatMuted, { profileId, conversationId: v7(), at }, about(owner));
    await service.emit(AiHampered, { reason: 'provider', at }, { organizationId: owner.organizationId });
    await service.emit(AiHampered, { reason: 'budget', at }, { organizationId: owner.organizationId });
    const missed = { flowId: v7(), profileId, missedAt: '2026-01-01T09:00:00.000Z', nextAt: null };
    await service.emit(ScheduleMissed, missed, about(owner));
    await service.emit(WebhookDisabled, { id: v7(), url: 'https://example.com', reason: 'GONE' }, about(owner));
    await service.emit(DailyLimitReached, { id: v7(), limit: 5, count: 5, resetAt: '…' }, about(owner));
    await service.emit(AuditRecorded, login(owner.userId, '192.0.2.1', { action: 'api_key.create' }), about(owner));
    await service.emit(
      AuditRecorded,
      login(owner.userId, '192.0.2.1', { action: 'auth.change_password' }),
      about(owner),
    );
    const items = await test.listed(owner, 15);
    expect(items.map(({ type, title }) => [type, title]).toReversed()).toEqual([
      ['message', 'Ada'],
      ['connection', 'Profile connected'],
      ['connection', 'Profile logged out'],
      ['connection', 'Connection failed'],
      ['broadcast', 'Broadcast completed'],
      ['broadcast', 'Broadcast failed'],
      ['broadcast', 'Broadcast paused'],
      ['automation', 'Chat muted'],
      ['automation', 'AI provider failing'],
      ['automation', 'AI budget exhausted'],
      ['automation', 'Schedule missed'],
      ['system', 'Webhook disabled'],
      ['system', 'Daily limit reached'],
      ['security', 'API key made'],
      ['security', 'Password changed'],
    ]);
    expect(items.at(-1)).toMatchObject({ body: 'Hello', read: false, metadata: { profileId, count: 1 } });
    expect(items.find(({ type }) => type === 'broadcast')?.metadata).toEqual({ broadcastId: broadcast.id, profileId });

    expect(items.find(({ title }) => title === 'Schedule missed')).toMatchObject({
      body: 'A flow was to fire at 2026-01-01T09:00:00.000Z and could not: it does not fire again.',
      metadata: { profileId, flowId: missed.flowId },
    });

    const { organizationId } = owner;
    const others = Object.entries(systemRoles).map(async ([role, permissions]) => {
      const caller = await test.join({ organizationId, permissions: [...permissions] });
      return [role, caller] as const;
    });
    const people = await Promise.all(others);
    const nobody = await test.join({ organizationId, permissions: [] });
    await test.write(owner, profileId, 'To all', { from: '4915100000000@c.us' });
    await service.emit(BroadcastCompleted, broadcast, about(owner));
    await service.emit(WebhookDisabled, { id: v7(), url: 'https://example.com', reason: 'GONE' }, about(owner));
    await test.rested();
    for (const [role, caller] of people)
      expect([role, (await test.list(caller)).map(({ type }) => type).toSorted()]).toEqual([
        role,
        role === 'Owner' || role === 'Admin' ? ['broadcast', 'message', 'system'] : ['broadcast', 'message'],
      ]);
    expect(await test.list(nobody)).toEqual([]);
    // Whoever loses the right sees what was told before no more, and so does a key that never had it.
    const [, viewer] = people.at(-1) ?? [];
    expect(await test.list({ ...(viewer as Caller), permissions: ['broadcast:read'] })).toHaveLength(1);
    expect(await test.list({ ...(viewer as Caller), profileIds: [v7()] })).toEqual([]);
  });

  it('of a chat are one, counted up while unread, and show 120 characters', async () => {
    const caller = await test.join();
    await Promise.all(Array.from({ length: 1000 }, (_, n) => test.write(caller, profileId, `${n}`.padEnd(200, 'x'))));
    await test.rested();
    const [one, ...others] = await test.list(caller);
    expect(others).toEqual([]);
    expect(one?.metadata).toMatchObject({ count: 1000 });
    expect(one?.body).toMatch(/^\d+x+…$/);
    expect(one?.body).toHaveLength(121);
    expect((await test.service.call(CountUnreadNotifications, { caller })).body).toEqual({ count: 1 });
    const read = await test.service.call(ReadNotification, { caller, params: { id: one?.id ?? '' } });
    expect(read).toMatchObject({ status: 200, body: { id: one?.id, read: true } });
    await test.write(caller, profileId, 'Anew');
    const items = await test.listed(caller, 2);
    expect(items.map(({ read: isRead, metadata, body }) => [isRead, metadata['count'], body])).toEqual([
      [false, 1, 'Anew'],
      [true, 1000, one?.body],
    ]);
  });

  it('are not told of muted chats, as long as they are muted', async () => {
    const caller = await test.join();
    const conversationId = conversationIdOf(profileId, '4915112345678@c.us');
    const change = (data: Partial<DataOf<typeof ConversationUpdated>>) =>
      test.service.emit(ConversationUpdated, { conversationId, profileId, change: 'muted', ...data }, about(caller));
    await change({});
    await test.write(caller, profileId, 'Unheard');
    await test.rested();
    expect(await test.list(caller)).toEqual([]);
    await change({ change: 'unmuted' });
    await test.write(caller, profileId, 'Heard');
    await test.listed(caller, 1);
    await change({ until: new Date(test.service.clock.now() + 3_600_000).toISOString() });
    await test.write(caller, profileId, 'Unheard too');
    await test.rested();
    test.service.clock.advance(3_600_000);
    await test.write(caller, profileId, 'Heard again');
    await test.until(async () => (await test.list(caller))[0]?.body === 'Heard again');
    expect((await test.list(caller)).map(({ metadata }) => metadata['count'])).toEqual([2]);
  });

  it('are told once, however often a fact comes', async () => {
    const caller = await test.join();
    const { organizationId } = caller;
    const entry = login(caller.userId, '192.0.2.1', { action: 'api_key.create' });
    await Promise.all(Array.from({ length: 5 }, () => test.service.emit(AuditRecorded, entry, { organizationId })));
    await test.rested();
    await test.service.emit(AuditRecorded, entry, { organizationId });
    await test.rested();
    expect(await test.list(caller)).toHaveLength(1);
  });

  it('are as the preferences say, from the moment they change', async () => {
    const { organizationId, ...caller } = await test.join();
    const deaf = await test.join({
      organizationId,
      preferences: { ...wanting, notifyOnMessage: false, notifyOnConnect: false, notifyOnDisconnect: false },
      preferencesVersion: 3,
    });
    const reader = { ...caller, organizationId };
    const all = async () => {
      await test.write(reader, profileId, 'Hello', { from: `49${Math.random().toString().slice(2, 12)}@c.us` });
      await test.service.emit(
        ConnectionReady,
        { phoneNumber: '49151', pushName: null },
        { organizationId, profileId: v7() },
      );
      await test.service.emit(ConnectionUpdate, { status: 'logged_out' }, { organizationId, profileId: v7() });
      await test.rested();
    };
    await all();
    expect(await test.list(reader)).toHaveLength(3);
    expect(await test.list(deaf)).toEqual([]);
    const change = (version: number, changed: object) =>
      test.service.emit(PreferencesChanged, { userId: deaf.userId, version, changed }, { organizationId });
    await change(4, { notifyOnMessage: true });
    await change(4, { notifyOnMessage: true });
    await change(3, { notifyOnMessage: false });
    await all();
    expect((await test.list(deaf)).map(({ type }) => type)).toEqual(['message']);
    // One was missed: all is asked anew.
    const [, member] = test.identity.of(organizationId);
    if (member) Object.assign(member, { preferences: wanting, preferencesVersion: 6 });
    await change(6, { notifyOnDisconnect: true });
    await all();
    expect(await test.list(deaf)).toHaveLength(4);
  });

  it('follow members and roles; while identity is away those who are known are told', async () => {
    const caller = await test.join();
    const { organizationId } = caller;
    await test.write(caller, profileId, 'One');
    await test.listed(caller, 1);
    test.identity.isAway = true;
    const late = await test.join({ organizationId });
    await test.write(caller, profileId, 'Two', { from: '4915100000001@c.us' });
    await test.listed(caller, 2);
    expect(await test.list(late)).toEqual([]);
    test.identity.isAway = false;
    const members = test.identity.of(organizationId);
    test.identity.members.set(organizationId, members.slice(1));
    await test.service.emit(MembersChanged, { organizationId, change: 'left' }, { organizationId });
    await test.service.emit(MemberRemoved, { userId: caller.userId }, { organizationId });
    await test.write(caller, profileId, 'Three', { from: '4915100000002@c.us' });
    expect((await test.listed(late, 1)).map(({ body }) => body)).toEqual(['Three']);
    expect(await test.list(caller)).toEqual([]);
  });

  it('wait for identity where nobody is known yet', async () => {
    test.identity.isAway = true;
    const caller = await test.join();
    await test.write(caller, profileId, 'Early');
    test.service.clock.advance(5_000);
    expect(await test.list(caller)).toEqual([]);
    test.identity.isAway = false;
    expect(await test.listed(caller, 1)).toMatchObject([{ body: 'Early' }]);
  });

  it('tell of a login from a new place, not of the first one nor of a known one', async () => {
    const caller = await test.join();
    const { organizationId, userId } = caller;
    const from = async (ip: string, userAgent = 'Firefox/128.0') => {
      await test.service.emit(AuditRecorded, login(userId, ip, { userAgent }), { organizationId });
      test.service.clock.advance(10);
    };
    await from('192.0.2.1');
    await from('192.0.2.77', 'Firefox/131.0');
    await from('198.51.100.1');
    await from('2001:db8:1::1');
    await from('2001:db8:1:ffff::2');
    await test.rested();
    expect((await test.list(caller)).map(({ title, body }) => [title, body])).toEqual([
      ['Login from a new place', 'Somebody has logged in to your account from 2001:db8:1::1 (Firefox/128.0).'],
      ['Login from a new place', 'Somebody has logged in to your account from 198.51.100.1 (Firefox/128.0).'],
    ]);
  });

  it('are paged, filtered, read and deleted by their owner alone', async () => {
    const caller = await test.join();
    const { service } = test;
    for (let n = 0; n < 5; n += 1) await test.write(caller, profileId, `${n}`, { from: `49151000${n}@c.us` });
    await service.emit(AiHampered, { reason: 'budget', at: new Date().toISOString() }, about(caller));
    const all = await test.listed(caller, 6);
    const pages: string[] = [];
    let cursor: string | null | undefined;
    do {
      const { body } = await service.call(ListNotifications, {
        caller,
        query: { limit: 4, ...(cursor && { cursor }) },
      });
      const page = body as { items: { id: string }[]; nextCursor: string | null; total: number };
      expect(page.total).toBe(6);
      pages.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(pages).toEqual(all.map(({ id }) => id));
    expect(await test.list(caller, { type: 'automation' })).toHaveLength(1);
    const [first] = all;
    const params = { id: first?.id ?? '' };
    const foreign = testCaller();
    for (const contract of [ReadNotification, DeleteNotification])
      await expect(service.call(contract, { caller: foreign, params })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await service.call(ReadNotification, { caller, params });
    expect(await test.list(caller, { unread: true })).toHaveLength(5);
    expect(await test.list(caller, { unread: false })).toMatchObject([{ id: first?.id, read: true }]);
    expect((await service.call(ReadAllNotifications, { caller })).body).toEqual({ updated: 5 });
    expect((await service.call(DeleteNotification, { caller, params })).status).toBe(204);
    await expect(service.call(DeleteNotification, { caller, params })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await service.call(DeleteAllNotifications, { caller })).status).toBe(204);
    expect(await test.list(caller)).toEqual([]);
  });

  it('come as they are told, also those that are counted up, after a place or from now on', async () => {
    const caller = await test.join();
    const { service } = test;
    await test.write(caller, profileId, 'Before');
    await test.listed(caller, 1);
    type Live = { items: { place: string; body: string }[]; nextCursor: string };
    const live = async (query: object) =>
      (await service.call(ListNotifications, { caller, query: { ...query } })).body as Live;
    const start = await live({ wait: 0 });
    expect(start.items).toEqual([]);
    const waiting = live({ after: start.nextCursor, wait: 20 });
    await test.write(caller, profileId, 'One');
    await test.rested();
    const first = await waiting;
    expect(first.items).toMatchObject([{ body: 'One', metadata: { count: 2 } }]);
    await test.write(caller, profileId, 'Two');
    await test.rested();
    expect((await live({ after: first.nextCursor })).items).toMatchObject([{ body: 'Two', metadata: { count: 3 } }]);
    expect((await live({ after: start.nextCursor })).items).toMatchObject([{ body: 'Two' }]);
    for (const query of [{ after: 'x' }, { after: '1', cursor: 'x' }])
      await expect(live(query)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });
});
