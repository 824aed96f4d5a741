import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { FetchOlderMessages, LoadOlderMessages, conversationIdOf } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import { testCaller } from '@messaging-gateway/service/testing';
import type { Static } from 'typebox';
import { arrived } from '../facts.fixture.ts';
import { InboxFixture, ada, textsOf, type Message } from '../inbox.fixture.ts';

let fixture: InboxFixture;
/** Messages on the phone, oldest first; undefined: it does not answer. */
let phone: ReturnType<typeof arrived>[] | undefined;
/** Whether it says if it has more. */
let says = false;

beforeAll(async () => {
  fixture = await InboxFixture.start();
});
afterAll(() => fixture.service.stop());
beforeEach(async () => {
  fixture.renew();
  says = false;
  const hold = async ({ oldest, count }: Static<(typeof FetchOlderMessages)['body']>) => {
    if (phone === undefined) throw new Refused('ENGINE_TIMEOUT', 'The phone does not answer.');
    const all = phone.filter(({ sentAt }) => sentAt < oldest.sentAt);
    const before = all.slice(-count);
    for (const one of before) void fixture.arrive(one);
    const networkMessageIds = before.map((one) => one.networkMessageId);
    return { networkMessageIds, ...(says && { hasMore: before.length < all.length }) };
  };
  await fixture.service.fake(FetchOlderMessages, hold, fixture.profileId);
});

const load = async (limit?: number, caller = fixture.caller) =>
  (
    await fixture.service.call(LoadOlderMessages, {
      caller,
      params: { conversationId: conversationIdOf(fixture.profileId, `${ada}@c.us`) },
      query: { ...(limit !== undefined && { limit }) },
    })
  ).body as { items: Message[]; fetched: number; hasMore: boolean };
const past = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    arrived(fixture.profileId, ada, `past ${index}`, {
      delivery: 'history',
      sentAt: new Date(Date.UTC(2025, 0, 1, 0, index)).toISOString(),
    }),
  );
const texts = ({ items }: { items: Message[] }) => textsOf({ items, nextCursor: null });

describe('older messages', () => {
  it('come from the phone, page by page, silently', async () => {
    phone = past(5);
    await fixture.arrive(arrived(fixture.profileId, ada, 'now'));
    const first = await load(3);
    expect([texts(first), first.fetched, first.hasMore]).toEqual([['past 4', 'past 3', 'past 2'], 3, true]);
    const second = await load();
    expect([texts(second), second.fetched, second.hasMore]).toEqual([['past 1', 'past 0'], 2, false]);
    expect(await load()).toEqual({ items: [], fetched: 0, hasMore: false });
    expect(await fixture.told()).toHaveLength(1);
    expect((await fixture.conversations()).items).toMatchObject([{ unreadCount: 1 }]);
  });

  it('are all there when the phone says so, also when they are as many as were asked for', async () => {
    says = true;
    phone = past(4);
    await fixture.arrive(arrived(fixture.profileId, ada, 'now'));
    expect(await load(2)).toMatchObject({ fetched: 2, hasMore: true });
    expect(await load(2)).toMatchObject({ fetched: 2, hasMore: false });
    expect(await load(2)).toEqual({ items: [], fetched: 0, hasMore: false });
  });

  it('are refused while the phone does not answer', async () => {
    phone = undefined;
    await fixture.arrive(arrived(fixture.profileId, ada, 'now'));
    await expect(load()).rejects.toMatchObject({ code: 'ENGINE_TIMEOUT' });
    await expect(load(501)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    await expect(load(1, testCaller())).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('are refused while the profile is not connected', async () => {
    fixture.renew(); // nobody holds this one
    await fixture.arrive(arrived(fixture.profileId, ada, 'now'));
    await expect(load()).rejects.toMatchObject({ code: 'PROFILE_NOT_CONNECTED' });
  });
});
