import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  EraseInsightsData,
  GetVapidKey,
  ListPushSubscriptions,
  MemberRemoved,
  PreferencesChanged,
  ReadAllNotifications,
  ReadInsightsData,
  SubscribeToPush,
  TestPush,
  UnsubscribeFromPush,
  type Caller,
} from '@messaging-gateway/contracts';
import { startPushService, type FakePushService, type SubscriptionJson } from '@messaging-gateway/testing';
import { v7 } from 'uuid';
import { notificationsTest, type NotificationsTest } from '../testing/notifications-test.ts';

let test: NotificationsTest;
let service: FakePushService;
const trustedBefore = getCACertificates('default');
beforeAll(async () => {
  service = await startPushService();
  setDefaultCACertificates([...trustedBefore, service.authority]);
  test = await notificationsTest({ allowPrivateTargets: true, smtpFrom: 'Gateway <push@example.com>' }, 2);
});
afterAll(async () => {
  await test.stop();
  await service.stop();
  setDefaultCACertificates(trustedBefore);
});

const profileId = v7();
const subscribe = async (caller: Caller, browser = service.subscribe()): Promise<SubscriptionJson> => {
  await test.service.call(SubscribeToPush, { caller, body: browser });
  return browser;
};
const subscriptions = async (caller: Caller) =>
  (
    (await test.service.call(ListPushSubscriptions, { caller })).body as {
      items: { id: string; endpoint: string; lastSuccessAt: string | null }[];
    }
  ).items;
const pushedTo = ({ endpoint }: SubscriptionJson) => service.pushed.filter((push) => push.endpoint === endpoint);
const askedOf = ({ endpoint }: SubscriptionJson) => service.asked.filter((asked) => asked.endpoint === endpoint).length;
const pushed = async (browser: SubscriptionJson, count: number) => {
  await test.until(() => pushedTo(browser).length >= count, 20);
  return pushedTo(browser);
};
/**
 * Nothing waits to be told, and nothing is being pushed, or will be soon. In small steps while something is in hand, as who pushes has
 * 30 s of the test clock; at once over the rest of a chat.
 */
const settled = async (): Promise<void> => {
  const { sql, clock } = test.service;
  await test.rested(20);
  for (let steps = 0; ; steps += 1) {
    const soon = await sql.query<{ due: Date; rests: boolean }>(
      `SELECT due, coalesce(due = pushed_at + interval '10 s', false) AS rests FROM pushes WHERE due < $1 ORDER BY due`,
      [new Date(clock.now() + 40_000)],
    );
    const [first] = soon;
    if (first === undefined) return;
    if (steps > 3000) throw new Error('It is pushed all the time.');
    clock.advance(soon.every(({ rests }) => rests) ? Math.max(10, first.due.getTime() - clock.now()) : 10);
    await delay(5);
  }
};
const chat = (number: number): string => `4915100${String(number).padStart(6, '0')}@c.us`;

describe('Web Push', () => {
  it('has one key for all replicas, over restarts; the private one is kept encrypted', async () => {
    const caller = await test.join();
    const ask = async () => (await test.service.call(GetVapidKey, { caller })).body as { publicKey: string };
    const { publicKey } = await ask();
    expect(Buffer.from(publicKey, 'base64url')).toHaveLength(65);
    expect([await ask(), await ask()]).toEqual([{ publicKey }, { publicKey }]);
    const rows = await test.service.sql.query<{ public_key: string; sealed: Buffer }>('SELECT * FROM push_keys');
    expect(rows).toMatchObject([{ public_key: publicKey }]);
    expect(rows[0]?.sealed).toHaveLength(33 + 43);
  });

  it('pushes a notification to each browser, readable by it alone, signed for its push service', async () => {
    const caller = await test.join();
    const browsers = [await subscribe(caller), await subscribe(caller)];
    const { conversationId } = await test.write(caller, profileId, 'Grüße 👋');
    const [notification] = await test.listed(caller, 1);
    const { publicKey } = (await test.service.call(GetVapidKey, { caller })).body as { publicKey: string };
    for (const browser of browsers) {
      const [push, ...others] = await pushed(browser, 1);
      expect(others).toEqual([]);
      expect(push?.payload).toEqual({
        id: notification?.id,
        type: 'message',
        title: 'Ada',
        body: 'Grüße 👋',
        tag: `chat:${conversationId}`,
        url: `/inbox/${conversationId}`,
      });
      expect(push?.headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '86400', urgency: 'high' });
      expect(push?.headers['topic']).toMatch(/^[\w-]{32}$/);
      expect(push?.by).toBe(publicKey);
      expect(push?.claims).toMatchObject({ aud: new URL(browser.endpoint).origin, sub: 'mailto:push@example.com' });
    }
    await test.until(async () => (await subscriptions(caller)).every(({ lastSuccessAt }) => lastSuccessAt !== null));
  });

  it('pushes of a chat at most once in ten seconds, each time the last; other chats have topics of their own', async () => {
    const caller = await test.join();
    const browser = await subscribe(caller);
    const texts = Array.from({ length: 300 }, (_, n) => `Number ${n}`.padEnd(200, '⚡'));
    await Promise.all(texts.map((text) => test.write(caller, profileId, text)));
    await test.write(caller, profileId, 'Else', { from: chat(1) });
    await settled();
    const pushes = pushedTo(browser);
    const ofChat = pushes.filter(({ payload }) => payload.body !== 'Else');
    expect(new Set(pushes.map(({ headers }) => headers['topic'])).size).toBe(2);
    expect(new Set(ofChat.map(({ headers }) => headers['topic'])).size).toBe(1);
    expect(ofChat.length).toBeLessThan(10);
    expect(ofChat.at(-1)?.payload.body).toBe((await test.list(caller)).find(({ body }) => body !== 'Else')?.body);
    for (const { length } of pushes) expect(length).toBeLessThan(3 * 1024);
    await test.write(caller, profileId, 'One');
    await test.write(caller, profileId, 'Two');
    await test.rested(20);
    const early = await test.service.sql.query(
      `SELECT 1 FROM pushes WHERE organization_id = $1 AND due < pushed_at + interval '10 s'`,
      [caller.organizationId],
    );
    expect(early).toEqual([]);
    await settled();
    expect(pushedTo(browser).at(-1)?.payload.body).toBe('Two');
  });

  it('pushes nothing to who does not want it, has read it meanwhile, or is no member any more', async () => {
    const caller = await test.join();
    const { organizationId, userId } = caller;
    const browser = await subscribe(caller);
    const change = (version: number, pushNotifications: boolean) =>
      test.service.emit(PreferencesChanged, { userId, version, changed: { pushNotifications } }, { organizationId });
    await test.write(caller, profileId, 'One', { from: chat(1) });
    await pushed(browser, 1);
    await change(1, false);
    await test.write(caller, profileId, 'Two', { from: chat(2) });
    await settled();
    await change(2, true);
    service.behave({ status: 503, retryAfter: '300' }, browser.endpoint);
    await test.write(caller, profileId, 'Three', { from: chat(3) });
    await test.until(() => askedOf(browser) === 2, 40);
    await test.service.call(ReadAllNotifications, { caller });
    service.behave(201, browser.endpoint);
    await settled();
    test.service.clock.advance(300_000);
    await settled();
    expect(pushedTo(browser).map(({ payload }) => payload.body)).toEqual(['One']);
    await test.write(caller, profileId, 'Four', { from: chat(4) });
    await pushed(browser, 2);
    await test.service.emit(MemberRemoved, { userId }, { organizationId });
    expect(await subscriptions(caller)).toEqual([]);
  });

  it('two replicas push each notification once', async () => {
    const caller = await test.join();
    const browsers = await Promise.all(Array.from({ length: 3 }, () => subscribe(caller)));
    await Promise.all(Array.from({ length: 20 }, (_, n) => test.write(caller, profileId, `${n}`, { from: chat(n) })));
    await settled();
    for (const browser of browsers)
      expect(
        pushedTo(browser)
          .map(({ payload }) => Number(payload.body))
          .toSorted((a, b) => a - b),
      ).toEqual(Array.from({ length: 20 }, (_, n) => n));
  });

  it('tries three times within an hour, then the next notification', async () => {
    const caller = await test.join();
    const browser = await subscribe(caller);
    service.behave(500, browser.endpoint);
    await test.write(caller, profileId, 'Lost', { from: chat(1) });
    await test.until(() => askedOf(browser) === 1, 40);
    for (const [pauseMs, attempts] of [
      [60_000, 2],
      [600_000, 3],
    ] as const) {
      await settled();
      expect(askedOf(browser)).toBe(attempts - 1);
      test.service.clock.advance(pauseMs);
      await test.until(() => askedOf(browser) === attempts, 40);
    }
    await settled();
    expect(
      await test.service.sql.query('SELECT 1 FROM pushes WHERE organization_id = $1 AND due IS NOT NULL', [
        caller.organizationId,
      ]),
    ).toEqual([]);
    expect(askedOf(browser)).toBe(3);
    expect(await subscriptions(caller)).toHaveLength(1);
    service.behave(201, browser.endpoint);
    await test.write(caller, profileId, 'Come', { from: chat(1) });
    expect((await pushed(browser, 1)).map(({ payload }) => payload.body)).toEqual(['Come']);
  });

  it('heeds Retry-After, for all that goes to the same browser', async () => {
    const caller = await test.join();
    const browser = await subscribe(caller);
    service.behave({ status: 429, retryAfter: '300' }, browser.endpoint);
    await test.write(caller, profileId, 'One', { from: chat(1) });
    await test.until(async () => {
      const [row] = await test.service.sql.query<{ rests: boolean }>(
        'SELECT rests_until IS NOT NULL AS rests FROM push_subscriptions WHERE organization_id = $1',
        [caller.organizationId],
      );
      return row?.rests === true;
    });
    await test.write(caller, profileId, 'Two', { from: chat(2) });
    await test.rested(20);
    const rows = await test.service.sql.query<{ wait: number }>(
      `SELECT extract(epoch FROM p.due - s.rests_until)::float AS wait FROM pushes p JOIN push_subscriptions s ON s.id = p.subscription_id
        WHERE p.organization_id = $1`,
      [caller.organizationId],
    );
    expect(rows).toHaveLength(2);
    for (const { wait } of rows) expect(wait).toBeGreaterThanOrEqual(-1);
    expect(askedOf(browser)).toBe(1);
    service.behave(201, browser.endpoint);
    await settled();
    test.service.clock.advance(300_000);
    expect((await pushed(browser, 2)).map(({ payload }) => payload.body).toSorted()).toEqual(['One', 'Two']);
    // One that is too long for its hour is given up.
    service.behave({ status: 503, retryAfter: new Date(Date.now() + 86_400_000).toUTCString() }, browser.endpoint);
    await test.write(caller, profileId, 'Three', { from: chat(3) });
    await test.until(() => askedOf(browser) === 4, 40);
    await settled();
    expect(
      await test.service.sql.query('SELECT 1 FROM pushes WHERE organization_id = $1 AND due IS NOT NULL', [
        caller.organizationId,
      ]),
    ).toEqual([]);
    expect(askedOf(browser)).toBe(4);
  });

  it('removes what is gone at once, and what is refused ten times without a success', async () => {
    const caller = await test.join();
    const [gone, refused, other] = [await subscribe(caller), await subscribe(caller), await subscribe(caller)];
    service.behave(410, gone.endpoint);
    service.behave(403, refused.endpoint);
    let count = 0;
    const tell = async (times: number): Promise<void> => {
      for (let n = 0; n < times; n += 1) await test.write(caller, profileId, 'Hello', { from: chat((count += 1)) });
      await settled();
    };
    await tell(9);
    expect((await subscriptions(caller)).map(({ endpoint }) => endpoint)).toEqual([refused.endpoint, other.endpoint]);
    service.behave(201, refused.endpoint);
    await tell(1);
    service.behave(403, refused.endpoint);
    await tell(9);
    expect(await subscriptions(caller)).toHaveLength(2);
    await tell(1);
    expect((await subscriptions(caller)).map(({ endpoint }) => endpoint)).toEqual([other.endpoint]);
    expect(askedOf(gone)).toBeLessThanOrEqual(9);
    expect(pushedTo(other)).toHaveLength(20);
  });

  it('a push service that hangs costs nobody else', async () => {
    const slow = await test.join();
    const quick = await test.join();
    const hanging = await Promise.all(Array.from({ length: 10 }, () => subscribe(slow)));
    for (const { endpoint } of hanging) service.behave('hanging', endpoint);
    await Promise.all(Array.from({ length: 30 }, (_, n) => test.write(slow, profileId, `${n}`, { from: chat(n) })));
    await test.rested(20);
    await test.until(() => hanging.reduce((sum, browser) => sum + askedOf(browser), 0) >= 12, 20);
    const browser = await subscribe(quick);
    const before = Date.now();
    await test.write(quick, profileId, 'Here');
    while (pushedTo(browser).length === 0) {
      if (Date.now() - before > 60_000) throw new Error('It was never pushed.');
      test.service.clock.advance(20);
      await delay(5);
    }
    // Those that hang are still asked: none of them was in the way.
    expect(hanging.reduce((sum, one) => sum + pushedTo(one).length, 0)).toBe(0);
    for (const { endpoint } of hanging) {
      await test.service.call(UnsubscribeFromPush, { caller: slow, body: { endpoint } });
      service.behave(503, endpoint);
    }
  });

  it('tests all browsers of its caller at once', async () => {
    const caller = await test.join();
    const ask = async () => (await test.service.call(TestPush, { caller })).body;
    expect(await ask()).toEqual({ sent: 0, failed: 0, removed: 0 });
    const [good, bad, gone] = [await subscribe(caller), await subscribe(caller), await subscribe(caller)];
    await subscribe(await test.join({ organizationId: caller.organizationId }));
    service.behave(500, bad.endpoint);
    service.behave(404, gone.endpoint);
    expect(await ask()).toEqual({ sent: 1, failed: 1, removed: 1 });
    expect(await ask()).toEqual({ sent: 1, failed: 1, removed: 0 });
    expect(pushedTo(good)[0]?.payload).toMatchObject({ type: 'system', title: 'Test' });
    expect(await subscriptions(caller)).toHaveLength(2);
  });

  it('registers twenty browsers of a user, lists and removes them; what is wrong is refused by its field', async () => {
    const caller = await test.join();
    const stranger = await test.join({ organizationId: caller.organizationId });
    const first = await subscribe(caller);
    const again = { ...first, keys: service.subscribe().keys };
    await subscribe(caller, again);
    expect(await subscriptions(caller)).toHaveLength(1);
    await Promise.all(Array.from({ length: 19 }, () => subscribe(caller)));
    const results = await Promise.allSettled([subscribe(caller), subscribe(caller)]);
    for (const result of results) expect(result).toMatchObject({ status: 'rejected', reason: { code: 'CONFLICT' } });
    await subscribe(caller, again);
    const page = await test.service.call(ListPushSubscriptions, { caller, query: { limit: 15 } });
    const { items, nextCursor, total } = page.body as { items: unknown[]; nextCursor: string; total: number };
    expect([items.length, total]).toEqual([15, 20]);
    const rest = await test.service.call(ListPushSubscriptions, { caller, query: { limit: 15, cursor: nextCursor } });
    expect(rest.body).toMatchObject({ items: { length: 5 }, nextCursor: null });
    const remove = (by: Caller) =>
      test.service.call(UnsubscribeFromPush, { caller: by, body: { endpoint: first.endpoint } });
    expect([(await remove(stranger)).status, (await subscriptions(caller)).length]).toEqual([204, 20]);
    expect([(await remove(caller)).status, (await subscriptions(caller)).length]).toEqual([204, 19]);
    expect((await remove(caller)).status).toBe(204);
    const { keys, endpoint } = service.subscribe();
    const p256dh = Buffer.alloc(65, 4).toString('base64url');
    const faults: [object, string][] = [
      [{ endpoint: endpoint.replace('https', 'http'), keys }, 'body.endpoint'],
      [{ endpoint: 'https://169.254.169.254/', keys }, 'body.endpoint'],
      [{ endpoint: 'https://user:secret@example.com/', keys }, 'body.endpoint'],
      [{ endpoint: '', keys }, 'body.endpoint'],
      [{ keys }, 'body.endpoint'],
      [{ endpoint, keys: { ...keys, p256dh } }, 'body.keys.p256dh'],
      [{ endpoint, keys: { ...keys, p256dh: keys.p256dh.slice(2) } }, 'body.keys.p256dh'],
      [{ endpoint, keys: { ...keys, auth: keys.auth.slice(2) } }, 'body.keys.auth'],
      [{ endpoint, keys: { p256dh: keys.p256dh } }, 'body.keys.auth'],
      [{ endpoint }, 'body.keys'],
      [{ endpoint, keys, userId: v7() }, 'body.userId'],
    ];
    for (const [body, path] of faults)
      await expect(test.service.call(SubscribeToPush, { caller: stranger, body: body as never })).rejects.toMatchObject(
        {
          code: 'VALIDATION_ERROR',
          details: [{ path }],
        },
      );
    expect(await subscriptions(stranger)).toEqual([]);
  });

  it('pushes to the person who is at a browser now, not to who was there before', async () => {
    const [before, now] = [await test.join(), await test.join()];
    const browser = await subscribe(before);
    await subscribe(now, browser);
    expect([await subscriptions(before), (await subscriptions(now)).length]).toEqual([[], 1]);
    // An endpoint alone takes nothing away from anybody.
    await subscribe(before, { ...browser, keys: service.subscribe().keys });
    expect((await subscriptions(now)).length).toBe(1);
  });

  it('drops subscriptions for another key', async () => {
    const caller = await test.join();
    const browser = await subscribe(caller);
    await test.service.sql.query('DELETE FROM push_keys');
    await test.service.restart();
    expect(await subscriptions(caller)).toEqual([]);
    await test.write(caller, profileId, 'Nobody');
    await settled();
    expect(askedOf(browser)).toBe(0);
    const anew = await subscribe(caller);
    await test.write(caller, profileId, 'Somebody', { from: chat(1) });
    const [push] = await pushed(anew, 1);
    expect(push?.by).toBe(((await test.service.call(GetVapidKey, { caller })).body as { publicKey: string }).publicKey);
  });

  it('shows browsers in an export, and erases them with the user and the organization', async () => {
    const caller = await test.join();
    const { organizationId, userId } = caller;
    const other = await test.join({ organizationId });
    const browser = await subscribe(caller);
    await subscribe(other);
    const whose = { organizationId, userId, wholeOrganization: false };
    const sections: { section: string; item: unknown }[] = [];
    let cursor: string | undefined;
    do {
      const page = await test.service.ask(ReadInsightsData, { ...whose, ...(cursor && { cursor }) });
      sections.push(...page.items);
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(sections.filter(({ section }) => section !== 'audit')).toMatchObject([
      { section: 'pushSubscriptions', item: { endpoint: browser.endpoint } },
    ]);
    await test.service.ask(EraseInsightsData, whose);
    expect([await subscriptions(caller), (await subscriptions(other)).length]).toEqual([[], 1]);
    await test.service.ask(EraseInsightsData, { organizationId, userId: other.userId, wholeOrganization: true });
    for (const table of ['push_subscriptions', 'pushes'])
      expect(
        await test.service.sql.query(`SELECT 1 FROM ${table} WHERE organization_id = $1`, [organizationId]),
      ).toEqual([]);
  });
});
