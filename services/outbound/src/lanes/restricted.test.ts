import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  AcceptMessage,
  type AnswerOf,
  conversationIdOf,
  type DescribeProfile,
  ListKnownChats,
  MessageFailed,
  MessageReceived,
  ProfileHealth,
} from '@messaging-gateway/contracts';
import { v7 } from 'uuid';
import { eventually } from '../testing/eventually.ts';
import { outboundTest, type OutboundTest, type TestProfile } from '../testing/outbound-test.ts';
import { watching } from '../testing/watching.ts';

type Restriction = NonNullable<AnswerOf<typeof DescribeProfile>['restriction']>;

const stranger = '4915100000720';
const friend = '4915100000721';
const hour = 3_600_000;

describe.each([
  ['synchronous', false],
  ['durable', true],
] as const)('a lane of a restricted account, %s', (_, durableSend) => {
  let outbound: OutboundTest;
  /** Chats in which somebody has written, as the inbox knows them. */
  const written = new Set<string>();
  let questions = 0;
  let restriction: Restriction;
  beforeAll(async () => {
    outbound = await outboundTest({ durableSend });
    await outbound.service.fake(ListKnownChats, ({ chats }) => {
      questions += 1;
      return { known: chats.filter((chat) => written.has(chat)) };
    });
  });
  afterAll(() => outbound.stop());
  beforeEach(() => {
    written.clear();
    written.add(`${friend}@c.us`);
    questions = 0;
    const now = outbound.service.clock.now();
    restriction = {
      type: 'BIZ_QUALITY',
      since: new Date(now).toISOString(),
      until: new Date(now + hour).toISOString(),
    };
    // As sessions does: nothing leaves to strangers while the account is restricted.
    outbound.network.behaves = ({ isKnownChat }) =>
      isKnownChat !== true && outbound.service.clock.now() < Date.parse(restriction.until ?? '')
        ? { restrict: restriction }
        : undefined;
  });
  const { queueOf, isDone } = watching(() => ({ network: outbound.network, sql: outbound.service.sql }));
  /** Receivers of the messages that a profile has sent, in order. */
  const sentBy = ({ profileId }: TestProfile): string[] =>
    outbound.network.shown.flatMap((id) => {
      const handed = outbound.network.handed.find((one) => one.networkMessageId === id);
      return handed?.profileId === profileId ? [handed.to.slice(0, -'@c.us'.length)] : [];
    });
  const tried = ({ profileId }: TestProfile): number =>
    outbound.network.handed.filter((handed) => handed.profileId === profileId).length;
  const refusal = { code: 'PROFILE_RESTRICTED', details: { type: 'BIZ_QUALITY' } };
  const lift = ({ profileId, caller }: TestProfile): Promise<unknown> => {
    outbound.network.behaves = () => undefined;
    const { organizationId } = caller;
    return outbound.service.emit(ProfileHealth, { id: profileId, restriction: null }, { organizationId, profileId });
  };

  if (!durableSend) {
    it('refuses messages to strangers, the first and the following ones, and sends to people who have written', async () => {
      const profile = await outbound.profile();
      const details = { type: 'BIZ_QUALITY', until: restriction.until };
      await expect(profile.send('1', { to: stranger })).rejects.toMatchObject({ ...refusal, details });
      const first = tried(profile);
      await expect(profile.send('2', { to: stranger })).rejects.toMatchObject({ ...refusal, details });
      await expect(profile.send('3', { to: '4915100000722' })).rejects.toMatchObject({ ...refusal, details });
      expect(tried(profile)).toBe(first);
      expect(await profile.send('4', { to: friend })).toMatchObject({ status: 200 });
      expect(sentBy(profile)).toEqual([friend]);
      await lift(profile);
      expect(await profile.send('5', { to: stranger })).toMatchObject({ status: 200 });
    });

    it('sends to somebody who has written although that is not known here when the restriction begins', async () => {
      const profile = await outbound.profile();
      expect(await profile.send('1', { to: friend })).toMatchObject({ status: 200 });
      expect(sentBy(profile)).toEqual([friend]);
    });

    it('asks nothing of the inbox while the account is not restricted', async () => {
      outbound.network.behaves = () => undefined;
      const profile = await outbound.profile();
      for (const to of [stranger, friend, stranger]) await profile.send('Hello', { to });
      expect(questions).toBe(0);
    });
    return;
  }

  it('holds messages to strangers without an attempt until the end; others go out meanwhile', async () => {
    const profile = await outbound.profile();
    for (const to of [stranger, '4915100000722', friend, stranger]) await profile.send('Hello', { to });
    await eventually(() => sentBy(profile).length === 1);
    expect(sentBy(profile)).toEqual([friend]);
    expect((await queueOf(profile)).map(({ attempts }) => attempts)).toEqual([0, 0, 0]);
    const before = tried(profile);
    outbound.service.clock.advance(hour / 2);
    await profile.send('Again', { to: friend });
    await eventually(() => sentBy(profile).length === 2);
    // Sessions is asked again only whether the account is still restricted.
    expect(tried(profile)).toBeLessThanOrEqual(before + 2);
    outbound.service.clock.advance(hour / 2 + 1000);
    await isDone(profile);
    expect(sentBy(profile).slice(2)).toEqual([stranger, '4915100000722', stranger]);
    expect(outbound.network.handed.filter(({ attempt }) => attempt !== 1)).toEqual([]);
  });

  it('lets messages to people who have written pass hundreds that are held', async () => {
    const profile = await outbound.profile();
    for (let number = 0; number < 300; number += 1)
      await profile.send('Hello', { to: String(4_915_100_100_000 + number) });
    await profile.send('An answer', { to: friend });
    await eventually(() => sentBy(profile).length === 1);
    expect(sentBy(profile)).toEqual([friend]);
    await eventually(async () => (await queueOf(profile)).length === 300);
    await lift(profile);
    await isDone(profile);
    expect(sentBy(profile)).toHaveLength(301);
  });

  it('sends what waits when the network lifts the restriction, and to a stranger as soon as the stranger writes', async () => {
    const profile = await outbound.profile();
    const { profileId, caller } = profile;
    await profile.send('1', { to: stranger });
    await profile.send('2', { to: '4915100000722' });
    await eventually(async () => questions > 0 && (await queueOf(profile)).length === 2);
    const about = { organizationId: caller.organizationId, profileId };
    const from = `${stranger}@c.us`;
    await outbound.service.emit(
      MessageReceived,
      {
        id: v7(),
        networkMessageId: '3EB0',
        conversationId: conversationIdOf(profileId, from),
        from,
        type: 'text',
        content: { type: 'text', text: 'Hello' },
        hasMedia: false,
        timestamp: new Date(outbound.service.clock.now()).toISOString(),
      },
      about,
    );
    await eventually(() => sentBy(profile).length === 1);
    expect(sentBy(profile)).toEqual([stranger]);
    await lift(profile);
    await isDone(profile);
    expect(sentBy(profile)).toEqual([stranger, '4915100000722']);
  });

  it('gives a broadcast its message back, and refuses the next one at once', async () => {
    const profile = await outbound.profile();
    const { profileId, caller } = profile;
    const accept = (to: string) =>
      outbound.service.ask(AcceptMessage, {
        messageId: v7(),
        organizationId: caller.organizationId,
        profileId,
        to: `${to}@c.us`,
        type: 'text',
        content: { text: 'Sale' },
        origin: 'broadcast',
        actor: 'service:campaigns',
        attempts: 4,
      });
    await accept(stranger);
    await isDone(profile);
    const failed = (await outbound.service.published(MessageFailed)).filter(({ profileId: id }) => id === profileId);
    expect(failed.map(({ data }) => data)).toMatchObject([{ error: { code: 'PROFILE_RESTRICTED' } }]);
    const before = tried(profile);
    await expect(accept('4915100000722')).rejects.toMatchObject({
      ...refusal,
      details: { type: 'BIZ_QUALITY', until: restriction.until },
    });
    await accept(friend);
    await eventually(() => sentBy(profile).length === 1);
    expect([sentBy(profile), tried(profile)]).toEqual([[friend], before + 1]);
  });
});
