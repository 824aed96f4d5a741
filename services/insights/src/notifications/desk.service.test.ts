import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { MembersChanged } from '@messaging-gateway/contracts';
import { v7 } from 'uuid';
import { notificationsTest, type NotificationsTest } from '../testing/notifications-test.ts';

let test: NotificationsTest;
beforeAll(async () => {
  test = await notificationsTest();
});
afterAll(() => test.stop());

it('tells what comes at the moment at which it goes to rest', async () => {
  const { service, identity } = test;
  const caller = await test.join();
  const { organizationId } = caller;
  const [reached, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  identity.holding = { reached: reached.resolve, until: held.promise };
  await service.emit(MembersChanged, { organizationId, change: 'joined' }, { organizationId });
  await test.write(caller, v7(), 'First');
  await reached.promise;
  await service.sql.transaction(async (tx) => {
    // As whoever takes news in: they are there, and the desk is held, until both are committed.
    await tx.query(
      `INSERT INTO notification_news (organization_id, id, sequence, at, draft) VALUES ($1, $2, '1', now(), $3)`,
      [organizationId, v7(), JSON.stringify({ type: 'system', title: 'News', body: 'Second', metadata: {} })],
    );
    await tx.query('SELECT FROM notification_desks WHERE organization_id = $1 FOR UPDATE', [organizationId]);
    held.resolve();
    await test.until(async () => {
      const waiting = await tx.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return waiting.length > 0;
    });
  });
  const told = await test.listed(caller, 2);
  expect(told.map(({ body }) => body).toSorted()).toEqual(['First', 'Second']);
});
