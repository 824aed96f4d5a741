import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ConnectionUpdate, ListNotifications, type Caller } from '@messaging-gateway/contracts';
import { v7 } from 'uuid';
import { notificationsTest, type NotificationsTest, type Shown } from '../testing/notifications-test.ts';

/** Two replicas: every event reaches both, requests go to them by turns. */
let test: NotificationsTest;
beforeAll(async () => {
  test = await notificationsTest({}, 2, 'all');
});
afterAll(() => test.stop());

const profileId = v7();
/** A long poll, as the event stream makes them. */
const coming = async (caller: Caller): Promise<Shown[]> => {
  const { body } = await test.service.call(ListNotifications, { caller, query: { wait: 25 } });
  return (body as { items: Shown[] }).items;
};

describe('two replicas of insights', () => {
  it('tell once what both of them hear, and count it once', async () => {
    const owner = await test.join();
    for (const text of ['One', 'Two', 'Three']) await test.write(owner, profileId, text);
    await test.service.emit(
      ConnectionUpdate,
      { status: 'logged_out', reason: 'LOGGED_OUT' },
      { organizationId: owner.organizationId, profileId },
    );
    await test.rested();
    const items = await test.list(owner);
    expect(items.map(({ type }) => type).toSorted()).toEqual(['connection', 'message']);
    expect(items.find(({ type }) => type === 'message')).toMatchObject({ body: 'Three', metadata: { count: 3 } });
  });

  it('show it to whoever looks on at either of them', async () => {
    const owner = await test.join();
    const readers = [coming(owner), coming(owner), coming(owner), coming(owner)];
    await test.write(owner, profileId, 'Hello');
    for (const items of await Promise.all(readers)) expect(items).toMatchObject([{ type: 'message', body: 'Hello' }]);
  });
});
