import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  BroadcastCompleted,
  ContactUpdated,
  EraseInsightsData,
  ListNotifications,
  MembersChanged,
  MessageDeleted,
  ReadInsightsData,
} from '@messaging-gateway/contracts';
import { v7 } from 'uuid';
import { notificationsTest, type NotificationsTest } from '../testing/notifications-test.ts';

let test: NotificationsTest;
beforeAll(async () => {
  test = await notificationsTest();
});
afterAll(() => test.stop());

const profileId = v7();

describe('notifications that are forgotten', () => {
  it('are a thousand for a user, the newest', async () => {
    const caller = await test.join();
    const { organizationId } = caller;
    await Promise.all(
      Array.from({ length: 1100 }, (_, n) =>
        test.service.emit(BroadcastCompleted, { id: v7(), total: n, sent: n, failed: 0 }, { organizationId }),
      ),
    );
    await test.rested();
    const { body } = await test.service.call(ListNotifications, { caller, query: { limit: 200 } });
    expect(body).toMatchObject({ total: 1000 });
  });

  it('do not keep what somebody wrote who is deleted, or took it back', async () => {
    const caller = await test.join();
    const { organizationId } = caller;
    const { id, conversationId } = await test.write(caller, profileId, 'Secret');
    await test.write(caller, profileId, 'Other', { from: '99887766@lid' });
    await test.listed(caller, 2);
    await test.service.emit(
      MessageDeleted,
      {
        messageId: id,
        networkMessageId: 'x',
        conversationId,
        from: '4915112345678@c.us',
        fromMe: false,
        timestamp: new Date().toISOString(),
      },
      { organizationId, profileId },
    );
    expect((await test.list(caller)).map(({ body }) => body).toSorted()).toEqual([
      'Other',
      'This message was deleted.',
    ]);
    const deleted = { id: v7(), change: 'deleted' as const, profileId, phone: '4915112345678', lid: '99887766@lid' };
    await test.service.emit(ContactUpdated, { ...deleted, mergedInto: v7() }, { organizationId });
    expect(await test.list(caller)).toHaveLength(2);
    await test.service.emit(ContactUpdated, deleted, { organizationId });
    expect(await test.list(caller)).toEqual([]);
  });

  it('are shown in an export, and erased with the user and the organization', async () => {
    const caller = await test.join();
    const { organizationId, userId } = caller;
    const other = await test.join({ organizationId });
    await test.write(caller, profileId, 'Hello');
    await test.listed(caller, 1);
    const whose = { organizationId, userId, wholeOrganization: false };
    const shown: { section: string; item: unknown }[] = [];
    let cursor: string | undefined;
    do {
      const page = await test.service.ask(ReadInsightsData, { ...whose, ...(cursor && { cursor }) });
      shown.push(...page.items);
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(shown).toMatchObject([{ section: 'notifications', item: { title: 'Ada', body: 'Hello' } }]);
    await test.service.ask(EraseInsightsData, whose);
    expect(await test.list(caller)).toEqual([]);
    expect(await test.list(other)).toHaveLength(1);
    test.identity.members.set(organizationId, []);
    const writing = Promise.all(Array.from({ length: 20 }, () => test.write(other, profileId, 'Late')));
    await test.service.ask(EraseInsightsData, { organizationId, userId: other.userId, wholeOrganization: true });
    await writing;
    await test.service.emit(MembersChanged, { organizationId, change: 'left' }, { organizationId });
    await test.rested();
    for (const table of ['notifications', 'notification_news', 'audience_members'])
      expect(
        await test.service.sql.query(`SELECT 1 FROM ${table} WHERE organization_id = $1`, [organizationId]),
      ).toEqual([]);
  });

  it('are not told any more to who is erased before', async () => {
    const caller = await test.join();
    const { organizationId, userId } = caller;
    test.identity.isAway = true;
    const other = await test.join({ organizationId });
    const draft = { type: 'security', title: 'Password changed', body: 'From 192.0.2.1', metadata: {} };
    for (const onlyUser of [userId, other.userId])
      await test.service.sql.query(
        `INSERT INTO notification_news (organization_id, id, sequence, at, draft) VALUES ($1, $2, '1', now(), $3)`,
        [organizationId, v7(), JSON.stringify({ ...draft, onlyUser })],
      );
    await test.service.ask(EraseInsightsData, { organizationId, userId, wholeOrganization: false });
    expect(
      await test.service.sql.query(
        `SELECT draft ->> 'onlyUser' AS "userId" FROM notification_news WHERE organization_id = $1`,
        [organizationId],
      ),
    ).toEqual([{ userId: other.userId }]);
    test.identity.isAway = false;
  });

  it('are kept for some days', async () => {
    const caller = await test.join();
    await test.write(caller, profileId, 'Old');
    await test.listed(caller, 1);
    test.service.clock.advance(31 * 86_400_000);
    const isGone = async (table: string) => (await test.service.sql.query(`SELECT 1 FROM ${table}`)).length === 0;
    const tables = ['notifications', 'notification_facts', 'notification_chats', 'notification_desks'];
    await test.until(async () => (await Promise.all(tables.map(isGone))).every(Boolean), 3_600_000);
    expect(await test.list(caller)).toEqual([]);
  });
});
