import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AcceptMessage, ListKnownChats, ReadSendingStates } from '@messaging-gateway/contracts';
import { v7 } from 'uuid';
import { eventually } from '../testing/eventually.ts';
import { notOverMidnight } from '../testing/not-over-midnight.ts';
import { outboundTest, type OutboundTest, type TestProfile } from '../testing/outbound-test.ts';
import { watching } from '../testing/watching.ts';

const friend = '4915100000761';
const stranger = (number: number): string => String(4_915_100_000_770 + number);
const day = 86_400_000;

describe.each([
  ['synchronous', false],
  ['durable', true],
] as const)('a lane with a limit for strangers, %s', (_, durableSend) => {
  let outbound: OutboundTest;
  beforeAll(async () => {
    outbound = await outboundTest({ durableSend });
    await outbound.service.fake(ListKnownChats, ({ chats }) => ({
      known: chats.filter((chat) => chat === `${friend}@c.us`),
    }));
    notOverMidnight(outbound.service.clock);
  });
  afterAll(() => outbound.stop());
  const { isDone } = watching(() => ({ network: outbound.network, sql: outbound.service.sql }));
  const sentBy = ({ profileId }: TestProfile): string[] =>
    outbound.network.handed
      .filter((handed) => handed.profileId === profileId)
      .map(({ to }) => to.slice(0, -'@c.us'.length));
  const limited = async (limit: number): Promise<TestProfile> => {
    const profile = await outbound.profile();
    outbound.network.strangersPerDay.set(profile.profileId, limit);
    return profile;
  };
  const countOf = async ({ profileId, caller }: TestProfile): Promise<number | undefined> => {
    const { organizationId } = caller;
    const { items } = await outbound.service.ask(ReadSendingStates, { organizationId, profileIds: [profileId] });
    return items[0]?.strangersToday;
  };

  it('counts people, each once a day, also without a limit', async () => {
    const profile = await outbound.profile();
    for (const to of [stranger(0), friend, stranger(1), stranger(0)]) await profile.send('Hello', { to });
    await eventually(async () => (await countOf(profile)) === 2);
  });

  if (!durableSend) {
    it('refuses the next stranger with 429 and sends to others', async () => {
      const profile = await limited(2);
      for (const to of [stranger(0), stranger(1), stranger(0), friend])
        expect(await profile.send('Hello', { to })).toMatchObject({ status: 200 });
      await expect(profile.send('Hello', { to: stranger(2) })).rejects.toMatchObject({
        code: 'RATE_LIMITED',
        details: { limit: 'strangers' },
        headers: { 'Retry-After': expect.stringMatching(/^\d+$/) },
      });
      expect(await profile.send('Hello', { to: stranger(1) })).toMatchObject({ status: 200 });
      expect(sentBy(profile)).toEqual([stranger(0), stranger(1), stranger(0), friend, stranger(1)]);
      expect(await countOf(profile)).toBe(2);
    });
    return;
  }

  it('holds messages to further strangers until the next day, and refuses those of broadcasts', async () => {
    const profile = await limited(1);
    for (const to of [stranger(0), stranger(1), friend]) await profile.send('Hello', { to });
    await eventually(() => sentBy(profile).length === 2);
    expect(sentBy(profile)).toEqual([stranger(0), friend]);
    const broadcast = {
      messageId: v7(),
      organizationId: profile.caller.organizationId,
      profileId: profile.profileId,
      to: `${stranger(2)}@c.us`,
      type: 'text',
      content: { text: 'Sale' },
      origin: 'broadcast',
      actor: 'service:campaigns',
      attempts: 4,
    } as const;
    await expect(outbound.service.ask(AcceptMessage, broadcast)).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      details: { limit: 'strangers', resetAt: expect.any(String) },
    });
    outbound.service.clock.advance(day);
    await isDone(profile);
    expect(sentBy(profile)).toEqual([stranger(0), friend, stranger(1)]);
  });
});
