import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  FollowPresence,
  PresenceUpdate,
  UnfollowPresence,
  type Caller,
  type DataOf,
} from '@messaging-gateway/contracts';
import { specification } from '@messaging-gateway/testing';
import { v7 } from 'uuid';
import { presenceSubscription } from './presence/presence-subscription.ts';
import { until } from './testing/engine-harness.ts';
import { sessionsTest, type SessionsTest } from './testing/sessions-test.ts';

const given = specification(presenceSubscription);
const which = { profileId: 'p', conversationId: 'c' };
const times = { at: '2026-01-01T00:00:00.000Z', until: '2026-01-02T00:00:00.000Z' };
const followed = { type: 'PresenceFollowed' as const, data: { ...which, chat: 'x@c.us', ...times } };
const unfollow = { type: 'UnfollowPresence' as const, ...which };

describe('a subscription to presence', () => {
  it('is renewed by whoever asks again', () =>
    given(followed)
      .when({ type: 'FollowPresence', chat: 'x@c.us', ...which, ...times })
      .then(followed));
  it('ends once', () => {
    given(followed).when(unfollow).then({ type: 'PresenceUnfollowed', data: which });
    given(followed, { type: 'PresenceUnfollowed', data: which }).when(unfollow).thenNothing();
  });
  it('that never was needs no end', () => given().when(unfollow).thenNothing());
});

describe('presence of a profile', () => {
  let test: SessionsTest;
  let caller: Caller;
  let profileId: string;
  const phone = '4915120000171';
  const numberOf = (index: number): string => `49151000018${String(index).padStart(2, '0')}`;
  const chatOf = (index: number) => ({
    organizationId: caller.organizationId,
    profileId,
    conversationId: v7(),
    chat: `${numberOf(index)}@c.us`,
  });

  beforeAll(async () => {
    test = await sessionsTest();
    caller = await test.organization();
    profileId = (await test.linked(caller, phone)).id;
  });
  afterAll(() => test.stop());

  /** Chats of which this was told, in order. */
  const told = async (word: string): Promise<string[]> => {
    const events = (await test.service.published()).filter(({ type }) => type === PresenceUpdate.type);
    const all = events.map(({ data }) => data as DataOf<typeof PresenceUpdate>);
    return all.filter(({ presence }) => presence === word).map(({ from }) => from);
  };
  const seen = (index: number, word: string): Promise<unknown> =>
    until(async () => (await told(word)).includes(`${numberOf(index)}@c.us`));

  it('is that of the hundred chats that were subscribed last', async () => {
    for (let index = 0; index <= 100; index += 1)
      await test.service.ask(FollowPresence, { ...chatOf(index), minutes: 60 });
    await seen(100, 'available');
    for (const index of [0, 1, 100]) await test.simulator.showPresence(numberOf(index), { state: 'unavailable' });
    await Promise.all([seen(1, 'unavailable'), seen(100, 'unavailable')]);
    expect(await told('unavailable')).not.toContain(`${numberOf(0)}@c.us`);
  });

  it('is nobody else’s to follow or to end', async () => {
    const chat = { ...chatOf(5), organizationId: v7() };
    await expect(test.service.ask(FollowPresence, { ...chat, minutes: 60 })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await test.service.ask(UnfollowPresence, chat);
    await test.simulator.showPresence(numberOf(5), { state: 'unavailable' });
    await seen(5, 'unavailable');
  });

  it('ends with its time, and so does being there', async () => {
    const presence = async () => (await test.simulator.phone(phone)).devices[0]?.presence;
    expect(await presence()).toBe('available');
    test.service.clock.advance(3_700_000);
    await until(async () => (await presence()) === 'unavailable');
    await test.simulator.showTyping(numberOf(7), { to: phone, state: 'composing' });
    expect(await told('composing')).toEqual([]);
  });
});
