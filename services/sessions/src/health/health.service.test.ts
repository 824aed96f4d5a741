import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type AnswerOf,
  type Caller,
  DeliverMessage,
  DescribeProfile,
  GetProfile,
  GetProfileHealth,
  ProfileHealth,
} from '@messaging-gateway/contracts';
import { v7 } from 'uuid';
import { newNetworkId, until } from '../testing/engine-harness.ts';
import { sessionsTest, type Made, type SessionsTest } from '../testing/sessions-test.ts';

let test: SessionsTest;
let caller: Caller;
beforeAll(async () => {
  test = await sessionsTest();
  caller = await test.organization();
});
afterAll(() => test.stop());

const stranger = '4915100000710';
const day = 24 * 3_600_000;

const deliver = (
  { id: profileId }: Made,
  to: string,
  more: { isKnownChat?: boolean } = {},
): Promise<AnswerOf<typeof DeliverMessage>> =>
  test.service.ask(DeliverMessage, {
    organizationId: caller.organizationId,
    profileId,
    messageId: v7(),
    networkMessageId: newNetworkId(),
    laneEpoch: 1,
    to: `${to}@c.us`,
    content: { type: 'text', content: { text: 'Hello' } },
    ...more,
  });
const healthOf = async ({ id }: Made, fresh = false) =>
  (await test.service.call(GetProfileHealth, { caller, params: { id }, query: { fresh } })).body as {
    checkedAt: string | null;
    restriction: { type: string; until: string } | null;
    newChats: object | null;
    today: { refused: number };
  };
const published = async ({ id }: Made) =>
  (await test.service.published(ProfileHealth)).filter(({ data }) => data.id === id).map(({ data }) => data);
const stanzasTo = async (contact: string): Promise<number> =>
  (await test.simulator.statistics()).contacts[contact]?.stanzas ?? 0;

describe('the health of a profile', () => {
  it('is restricted for 24 h by a refused message; nothing more goes to strangers, and everything to others', async () => {
    const profile = await test.linked(caller, '4915112345710');
    await test.simulator.configureContact(stranger, { refuse: 463 });
    const before = test.service.clock.now();
    const answer = await deliver(profile, stranger);
    expect(answer).toMatchObject({ outcome: 'refused', code: 'PROFILE_RESTRICTED' });
    const { restriction } = answer;
    expect(Date.parse(restriction?.until ?? '') - before).toBeGreaterThanOrEqual(day);
    expect(Date.parse(restriction?.until ?? '') - before).toBeLessThan(day + 60_000);
    expect(await deliver(profile, '4915100000711')).toMatchObject({ code: 'PROFILE_RESTRICTED', restriction });
    expect(await deliver(profile, stranger)).toMatchObject({ code: 'PROFILE_RESTRICTED', restriction });
    expect(await deliver(profile, '4915100000712', { isKnownChat: true })).toMatchObject({ outcome: 'acknowledged' });
    expect([await stanzasTo(stranger), await stanzasTo('4915100000711')]).toEqual([1, 0]);
    expect(await healthOf(profile)).toMatchObject({ restriction, newChats: null, today: { refused: 1 } });
    const { body } = await test.service.call(GetProfile, { caller, params: { id: profile.id } });
    expect(body).toMatchObject({ restriction });
    const { organizationId } = caller;
    expect(await test.service.ask(DescribeProfile, { organizationId, profileId: profile.id })).toMatchObject({
      restriction,
    });
    await until(async () => (await published(profile)).length > 0);
    expect(await published(profile)).toEqual([{ id: profile.id, restriction }]);

    test.service.clock.advance(day + 61_000);
    await until(async () => (await published(profile)).length === 2);
    expect((await published(profile))[1]).toEqual({ id: profile.id, restriction: null });
    expect(await healthOf(profile)).toMatchObject({ restriction: null });
    await test.simulator.configureContact(stranger, { refuse: 0 });
    expect(await deliver(profile, stranger)).toMatchObject({ outcome: 'acknowledged' });
  }, 120_000);

  it('takes the end from the network, which lifts a restriction, and reports the quota of new chats', async () => {
    const phone = '4915112345713';
    const profile = await test.linked(caller, phone);
    const end = new Date(Math.ceil(Date.now() / 1000) * 1000 + 30 * day).toISOString();
    const restriction = { type: 'BIZ_QUALITY', until: end };
    await test.simulator.configureContact(phone, { restriction: { ...restriction, notify: false } });
    expect(await deliver(profile, '4915100000713')).toMatchObject({ code: 'PROFILE_RESTRICTED', restriction });
    expect(await healthOf(profile)).toMatchObject({ restriction });
    await test.simulator.configureContact(phone, { restriction: null });
    await until(async () => (await healthOf(profile)).restriction === null);
    expect(await deliver(profile, '4915100000713')).toMatchObject({ outcome: 'acknowledged' });
    const newChats = { status: 'first_warning', used: 3, quota: 10 } as const;
    await test.simulator.configureContact(phone, { newChats });
    await until(async () => (await healthOf(profile)).newChats !== null);
    const reported = { ...newChats, cycleStart: null, cycleEnd: null };
    expect(await healthOf(profile)).toMatchObject({ newChats: reported });
    expect(
      (await published(profile)).map(({ restriction: one, newChats: other }) => one?.type ?? other ?? one),
    ).toEqual(['BIZ_QUALITY', null, reported]);
  }, 120_000);

  it('is queried when the profile connects, and on request at most once in 10 minutes', async () => {
    const phone = '4915112345714';
    const restriction = { type: 'BIZ_QUALITY', until: new Date(Date.now() + 30 * day).toISOString() };
    await test.simulator.configureContact(phone, { restriction });
    const profile = await test.linked(caller, phone);
    await until(async () => (await healthOf(profile)).restriction !== null);
    const { checkedAt } = await until(async () => {
      const health = await healthOf(profile);
      return health.checkedAt === null ? undefined : health;
    });
    expect((await healthOf(profile, true)).checkedAt).toBe(checkedAt);
    test.service.clock.advance(600_000);
    expect((await healthOf(profile, true)).checkedAt).not.toBe(checkedAt);
    expect(await deliver(profile, '4915100000714')).toMatchObject({ code: 'PROFILE_RESTRICTED' });
    expect(await stanzasTo('4915100000714')).toBe(0);
  }, 120_000);

  it('does not exist for another tenant', async () => {
    const profile = await test.create(caller);
    const other = await test.organization();
    await expect(
      test.service.call(GetProfileHealth, { caller: other, params: { id: profile.id }, query: {} }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await healthOf(profile, true)).toMatchObject({ checkedAt: null, restriction: null, newChats: null });
  });
});
