import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  DeleteForEveryone,
  FindMessage,
  MessageAccepted,
  MessageSent,
  MessageStatusChanged,
  ReadSendingStates,
  SendReaction,
  SendTyping,
  SessionMessageChanged,
  SetTyping,
  type Operation,
} from '@messaging-gateway/contracts';
import { testCaller } from '@messaging-gateway/service/testing';
import { v7 } from 'uuid';
import { eventually } from '../testing/eventually.ts';
import { outboundTest, recipient, type OutboundTest, type TestProfile } from '../testing/outbound-test.ts';

const chat = `${recipient}@c.us`;

describe.each([false, true])('a change of a message, durable: %s', (durableSend) => {
  let outbound: OutboundTest;
  /** Messages of the inbox: `theirs`, `ours`, `old`. */
  const known = new Map<string, { profileId: string; fromMe: boolean; sentAt: string }>();
  beforeAll(async () => {
    outbound = await outboundTest({ durableSend });
    await outbound.service.fake(FindMessage, ({ messageId }) => ({
      messageId,
      networkMessageId: `NET-${messageId}`,
      chat,
      ...(known.get(messageId) ?? { profileId: v7(), fromMe: false, sentAt: new Date().toISOString() }),
    }));
  });
  afterAll(() => outbound.stop());

  const messageOf = ({ profileId }: TestProfile, fromMe: boolean, age = 0): string => {
    const messageId = v7();
    known.set(messageId, { profileId, fromMe, sentAt: new Date(outbound.service.clock.now() - age).toISOString() });
    return messageId;
  };
  const call = ({ profileId, caller }: TestProfile, contract: Operation, body: object, resourceId = v7()) =>
    outbound.service.call(contract, { caller, resourceId, body: { profileId, ...body } });
  const handedTo = ({ profileId }: TestProfile) =>
    outbound.network.handed.filter((handed) => handed.profileId === profileId).map(({ content }) => content);
  const attemptsOf = async ({ profileId }: TestProfile) => {
    const [row] = await outbound.service.sql.query<{ attempts: number }>(
      'SELECT attempts FROM queue WHERE profile_id = $1',
      [profileId],
    );
    return row?.attempts;
  };
  const isDone = ({ profileId }: TestProfile) =>
    eventually(
      async () =>
        (await outbound.service.sql.query('SELECT 1 FROM queue WHERE profile_id = $1', [profileId])).length === 0,
    );
  const changesOf = async ({ profileId }: TestProfile) =>
    (await outbound.service.published(SessionMessageChanged)).filter((event) => event.profileId === profileId);

  it('reaches the network, and is told once it has: a reaction, its taking back, a deletion', async () => {
    const profile = await outbound.profile();
    const [theirs, ours] = [messageOf(profile, false), messageOf(profile, true)];
    const status = durableSend ? 202 : 200;
    const id = v7();
    expect(await call(profile, SendReaction, { messageId: theirs, emoji: '❤' }, id)).toMatchObject({
      status,
      body: { messageId: id },
    });
    await call(profile, SendReaction, { messageId: theirs, emoji: '' });
    expect(await call(profile, DeleteForEveryone, { messageId: ours })).toMatchObject({
      status,
      body: { messageId: ours },
    });
    await isDone(profile);
    const target = (messageId: string, fromMe: boolean) => ({ networkMessageId: `NET-${messageId}`, fromMe });
    expect(handedTo(profile)).toEqual([
      { type: 'reaction', content: { emoji: '❤' }, target: target(theirs, false) },
      { type: 'reaction', content: { emoji: '' }, target: target(theirs, false) },
      { type: 'delete', content: {}, target: target(ours, true) },
    ]);
    expect((await changesOf(profile)).map(({ data }) => data)).toMatchObject([
      { chat: { jid: chat, phone: recipient }, fromMe: true, change: { type: 'reacted', emoji: '❤' } },
      { target: target(theirs, false), change: { type: 'reacted', emoji: '' } },
      { target: target(ours, true), change: { type: 'revoked' }, delivery: 'live' },
    ]);
  });

  it('takes no place in the day, waits for no delay, and is no message of its own', async () => {
    const profile = await outbound.profile({ messageDelayMs: 3_600_000, dailyMessageLimit: 1 });
    const { profileId, caller } = profile;
    await profile.send('the only one of today');
    const theirs = messageOf(profile, false);
    for (const emoji of ['👍', '🎉', '🏳️‍🌈']) await call(profile, SendReaction, { messageId: theirs, emoji });
    await isDone(profile);
    expect(handedTo(profile).map(({ type }) => type)).toEqual(['text', 'reaction', 'reaction', 'reaction']);
    const { items } = await outbound.service.ask(ReadSendingStates, {
      organizationId: caller.organizationId,
      profileIds: [profileId],
    });
    expect(items[0]).toMatchObject({ dailyMessageCount: 1 });
    for (const contract of [MessageAccepted, MessageSent, MessageStatusChanged]) {
      const told = (await outbound.service.published(contract)).filter((event) => event.profileId === profileId);
      expect(told).toHaveLength(1);
    }
    await expect(profile.send('one more')).rejects.toMatchObject({ code: 'DAILY_LIMIT_REACHED' });
  });

  it('that is refused is not told; the refusal names the message that it is about', async () => {
    const profile = await outbound.profile();
    const messageId = messageOf(profile, true);
    const refusals = durableSend ? 3 : 1;
    outbound.network.script.push(...Array.from({ length: refusals }, () => ({ refuse: 'ENGINE_REFUSED' })));
    const answer = await call(profile, DeleteForEveryone, { messageId }).catch((error: unknown) => error);
    expect(answer).toMatchObject(durableSend ? { status: 202 } : { code: 'ENGINE_REFUSED', details: { messageId } });
    for (const [made, pause] of durableSend
      ? ([
          [1, 1000],
          [2, 4000],
        ] as const)
      : []) {
      await eventually(async () => (await attemptsOf(profile)) === made);
      outbound.service.clock.advance(pause);
    }
    await isDone(profile);
    expect(handedTo(profile)).toHaveLength(refusals);
    expect(await changesOf(profile)).toEqual([]);
  });

  it('asked for again under the same key is the same one', async () => {
    const profile = await outbound.profile();
    const id = v7();
    const body = { messageId: messageOf(profile, false), emoji: '👍' };
    await call(profile, SendReaction, body, id);
    await isDone(profile);
    known.delete(body.messageId);
    const again = await outbound.service.call(SendReaction, {
      caller: profile.caller,
      resourceId: id,
      repeated: true,
      body: { profileId: profile.profileId, ...body },
    });
    expect(again).toMatchObject({ status: 200, body: { messageId: id, status: 'sent' } });
    expect(handedTo(profile)).toHaveLength(1);
  });

  it('is refused: not ours, too old, not of the profile, no emoji, of another organization', async () => {
    const profile = await outbound.profile();
    const [theirs, old] = [messageOf(profile, false), messageOf(profile, true, 61 * 3_600_000)];
    for (const messageId of [theirs, old])
      await expect(call(profile, DeleteForEveryone, { messageId })).rejects.toMatchObject({
        code: 'CONFLICT',
        details: [expect.objectContaining({ path: 'body.messageId' })],
      });
    await expect(call(profile, DeleteForEveryone, { messageId: v7() })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(call(profile, SendReaction, { messageId: v7(), emoji: '👍' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    for (const emoji of ['no', '1', '👍👍', ' '])
      await expect(call(profile, SendReaction, { messageId: theirs, emoji })).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        details: [expect.objectContaining({ path: 'body.emoji' })],
      });
    const foreign = { ...profile, caller: testCaller() };
    await expect(call(foreign, SendReaction, { messageId: theirs, emoji: '👍' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    expect(handedTo(profile)).toEqual([]);
  });
});

describe('typing', () => {
  let outbound: OutboundTest;
  const shown: object[] = [];
  beforeAll(async () => {
    outbound = await outboundTest({ durableSend: true });
  });
  afterAll(() => outbound.stop());

  it('is shown at once, without a place and without a wait', async () => {
    const { profileId, caller } = await outbound.profile({ dailyMessageLimit: 0 });
    await outbound.service.fake(SendTyping, ({ chat: to, state }) => (shown.push({ to, state }), {}), profileId);
    const set = (body: object, by = caller) =>
      outbound.service.call(SetTyping, { caller: by, body: { profileId, to: recipient, ...body } });
    expect(await set({})).toMatchObject({ status: 200, body: { state: 'composing', to: chat } });
    expect(await set({ state: 'paused', to: '120363000000000001@g.us' })).toMatchObject({ body: { state: 'paused' } });
    expect(shown).toEqual([
      { to: chat, state: 'composing' },
      { to: '120363000000000001@g.us', state: 'paused' },
    ]);
    await expect(set({ state: 'thinking' as never })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [expect.objectContaining({ path: 'body.state' })],
    });
    await expect(set({}, { ...caller, profileIds: [v7()] })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('is refused while the profile is not connected, even in durable mode', async () => {
    const { profileId, caller } = await outbound.profile();
    const body = { profileId, to: recipient };
    await expect(outbound.service.call(SetTyping, { caller, body })).rejects.toMatchObject({
      code: 'PROFILE_NOT_CONNECTED',
    });
    outbound.network.disconnected.add(profileId);
    await expect(outbound.service.call(SetTyping, { caller, body })).rejects.toMatchObject({
      code: 'PROFILE_NOT_CONNECTED',
    });
  });
});
