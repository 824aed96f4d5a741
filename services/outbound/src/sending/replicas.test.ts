import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  DeleteForEveryone,
  FindMessage,
  SendLocation,
  SendReaction,
  SendText,
  SessionReceipt,
} from '@messaging-gateway/contracts';
import { callAsGateway } from '@messaging-gateway/service/testing';
import { v7 } from 'uuid';
import { eventually } from '../testing/eventually.ts';
import { recipient } from '../testing/outbound-test.ts';
import { replicasTest, type Replica, type ReplicasProfile, type ReplicasTest } from '../testing/replicas-test.ts';
import { watching } from '../testing/watching.ts';

let test: ReplicasTest;
let one: Replica;
let other: Replica;
beforeAll(async () => {
  test = await replicasTest();
  [one, other] = [await test.replica(), await test.replica()];
});
afterAll(() => test.stop());

const { handedTo, textsOf, gapsOf, queueOf } = watching(() => test);
const limitsTold = ({ profileId }: ReplicasProfile) =>
  test.sql.query(`SELECT 1 FROM events WHERE stream = $1 AND type = 'DailyLimitReached'`, [`lane-${profileId}`]);
/** A replica owns the lane from its first send on. */
const ownedBy = async (owner: Replica, policy = {}) => {
  const profile = await test.profile(owner, policy);
  await profile.sendAt(owner, 'first');
  return profile;
};

describe('sends at two replicas', () => {
  it('go through one lane, in order, messageDelayMs apart', async () => {
    const profile = await ownedBy(one, { messageDelayMs: 40 });
    for (const [index, at] of [other, one, other, one].entries()) await profile.sendAt(at, `number ${index}`);
    await Promise.all(
      Array.from({ length: 6 }, (_, index) => profile.sendAt(index % 2 === 0 ? one : other, 'at once')),
    );
    expect(textsOf(profile).slice(0, 5)).toEqual(['first', 'number 0', 'number 1', 'number 2', 'number 3']);
    expect(handedTo(profile)).toHaveLength(11);
    expect(Math.min(...gapsOf(profile))).toBeGreaterThanOrEqual(40);
    expect(new Set(handedTo(profile).map(({ laneEpoch }) => laneEpoch)).size).toBe(1);
  });

  it('are claimed once when they are the first', async () => {
    const profile = await test.profile(one);
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, index) => profile.sendAt(index % 2 === 0 ? one : other, 'at once')),
    );
    expect(replies.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(handedTo(profile)).toHaveLength(10);
    expect(new Set(handedTo(profile).map(({ laneEpoch }) => laneEpoch)).size).toBe(1);
  });

  it('are answered like those at the owner, with what was raised', async () => {
    const profile = await ownedBy(one);
    const reply = await profile.sendAt(other, 'Hello');
    expect(reply).toMatchObject({ status: 200, body: { status: 'sent' } });
    expect(reply.raised?.map(({ type }) => type)).toEqual([
      'outbound.message-accepted',
      'message.sent',
      'message.status',
    ]);
    test.network.script.push({ refuse: 'RECIPIENT_UNKNOWN' });
    await expect(profile.sendAt(other, 'Hello')).rejects.toMatchObject({ code: 'RECIPIENT_UNKNOWN' });
  });

  it('are of any kind, and changes of messages pass the gate there too', async () => {
    const profile = await ownedBy(one, { messageDelayMs: 3_600_000, dailyMessageLimit: 1 });
    const { caller, profileId } = profile;
    const found = { profileId, networkMessageId: 'NET', chat: `${recipient}@c.us`, fromMe: true };
    const stop = await test.fake(FindMessage, (body) => ({ ...found, messageId: body.messageId }));
    const messageId = v7();
    const react = { caller, body: { profileId, messageId, emoji: '👍' } };
    expect((await callAsGateway(other.door, test.clock, SendReaction, react)).status).toBe(200);
    const remove = { caller, body: { profileId, messageId } };
    expect((await callAsGateway(other.door, test.clock, DeleteForEveryone, remove)).body).toMatchObject({ messageId });
    await stop();
    const target = { networkMessageId: 'NET', fromMe: true };
    expect(handedTo(profile).map(({ content }) => content)).toMatchObject([
      { type: 'text' },
      { type: 'reaction', target },
      { type: 'delete', target },
    ]);
    expect(new Set(handedTo(profile).map(({ laneEpoch }) => laneEpoch)).size).toBe(1);
    const body = { profileId, to: recipient, latitude: 1, longitude: 2 };
    await expect(callAsGateway(other.door, test.clock, SendLocation, { caller, body })).rejects.toMatchObject({
      code: 'DAILY_LIMIT_REACHED',
    });
  });

  it('know no profile of another organization', async () => {
    const [theirs, stranger] = [await ownedBy(one), await test.profile(other)];
    const body = { profileId: theirs.profileId, to: recipient, text: 'Hello' };
    for (const { door } of [one, other]) {
      const send = callAsGateway(door, test.clock, SendText, { caller: stranger.caller, body });
      await expect(send).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
    expect((await theirs.sendAt(other, 'mine')).status).toBe(200);
  });

  it('meet the same message under the same Idempotency-Key', async () => {
    const profile = await ownedBy(one);
    const resourceId = v7();
    const first = await profile.sendAt(one, 'Hello', { resourceId });
    const repeat = await profile.sendAt(other, 'Hello', { resourceId, repeated: true });
    expect(repeat.body).toEqual(first.body);
    expect(textsOf(profile)).toEqual(['first', 'Hello']);
  });
});

describe('the daily limit over two replicas', () => {
  it('lets exactly 20 of 50 through, tells the others exactly why, and is told once', async () => {
    const profile = await test.profile(one, { dailyMessageLimit: 20 });
    const sends = Array.from({ length: 50 }, (_, index) => profile.sendAt(index % 2 === 0 ? one : other, `${index}`));
    const outcomes = await Promise.allSettled(sends);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
    const refusals = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    expect(refusals).toHaveLength(30);
    for (const { code, details } of refusals) {
      expect(code).toBe('DAILY_LIMIT_REACHED');
      expect(details).toEqual({ limit: 20, count: 20, resetAt: expect.stringMatching(/T00:00:00\+07:00$/) });
    }
    expect(handedTo(profile)).toHaveLength(20);
    await eventually(async () => (await limitsTold(profile)).length === 1);
  });

  it('starts anew at midnight in Jakarta, at both at once', async () => {
    const profile = await test.profile(one, { dailyMessageLimit: 2 });
    await profile.sendAt(one, 'today');
    await profile.sendAt(other, 'today');
    for (const at of [one, other])
      await expect(profile.sendAt(at, 'too much')).rejects.toMatchObject({ code: 'DAILY_LIMIT_REACHED' });
    test.clock.advance(24 * 3_600_000);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 6 }, (_, index) => profile.sendAt(index % 2 === 0 ? other : one, 'tomorrow')),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    await eventually(async () => (await limitsTold(profile)).length === 2);
  });
});

describe('news at a replica that does not own the lane', () => {
  it('a policy: is applied where the lane is before the answer', async () => {
    const profile = await ownedBy(one, { messageDelayMs: 3_600_000 });
    const waiting = profile.sendAt(one, 'waits for an hour');
    await eventually(async () => (await queueOf(profile)).length === 1);
    await test.applyAt(other, profile, { messageDelayMs: 0, dailyMessageLimit: 2 });
    expect((await waiting).status).toBe(200);
    await expect(profile.sendAt(one, 'beyond')).rejects.toMatchObject({ code: 'DAILY_LIMIT_REACHED' });
    await test.applyAt(other, profile, { dailyMessageLimit: null });
    expect((await profile.sendAt(other, 'again')).status).toBe(200);
  });

  it('a receipt: settles what is unknown, for those who wait at the owner', async () => {
    const profile = await ownedBy(one);
    const resourceId = v7();
    test.network.usual = 'lose';
    const send = profile.sendAt(other, 'Hello', { resourceId });
    await expect(send).rejects.toMatchObject({ code: 'ENGINE_TIMEOUT', details: { messageId: resourceId } });
    const repeat = profile.sendAt(one, 'Hello', { resourceId, repeated: true });
    const networkMessageId = handedTo(profile).at(-1)?.networkMessageId ?? '';
    const at = new Date(test.clock.now()).toISOString();
    await other.tell(
      SessionReceipt,
      { profileId: profile.profileId, networkMessageId, status: 'delivered', at },
      profile,
    );
    test.network.usual = 'acknowledge';
    expect(await repeat).toMatchObject({ status: 200, body: { messageId: resourceId, status: 'sent' } });
    expect((await profile.sendAt(other, 'next')).status).toBe(200);
  });
});
