import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  CancelBatch,
  GetBatch,
  ListScheduledMessages,
  ScheduleMessage,
  SendBulk,
  type Operation,
} from '@messaging-gateway/contracts';
import { callAsGateway, type CallOptions } from '@messaging-gateway/service/testing';
import { passUntil as passTimeUntil } from '../testing/pass-until.ts';
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

const { textsOf } = watching(() => test);
const texts = (count: number): string[] => Array.from({ length: count }, (_, index) => `number ${index}`);

async function ask<Body>(at: Replica, { caller }: ReplicasProfile, contract: Operation, options: CallOptions) {
  const { body } = await callAsGateway(at.door, test.clock, contract, { caller, ...options });
  return body as Body;
}
const passUntil = (holds: () => boolean | Promise<boolean>) => passTimeUntil(test, holds);

async function sendBulk(at: Replica, profile: ReplicasProfile, count: number): Promise<string> {
  const messages = texts(count).map((text) => ({ chatId: recipient, type: 'text', content: { text } }));
  const body = { profileId: profile.profileId, messages, options: { delayBetweenMessages: 100 } };
  return (await ask<{ batchId: string }>(at, profile, SendBulk, { body })).batchId;
}
const getBatch = (at: Replica, profile: ReplicasProfile, batchId: string) =>
  ask<{ status: string; progress: Record<string, number> }>(at, profile, GetBatch, { params: { batchId } });

describe('two replicas', () => {
  it('send each scheduled message once, when all are due at the same time', async () => {
    const profile = await test.profile(one);
    // The lane belongs to one of them; the other finds some of the messages due.
    await profile.sendAt(one, 'first');
    const scheduledAt = new Date(test.clock.now() + 10_000).toISOString();
    const { profileId } = profile;
    for (const [index, text] of texts(30).entries()) {
      const body = { profileId, to: recipient, type: 'text', content: { text }, scheduledAt };
      await ask(index % 2 === 0 ? one : other, profile, ScheduleMessage, { body });
    }
    await passUntil(async () => {
      const query = { status: 'sent' };
      const page = await ask<{ total: number }>(other, profile, ListScheduledMessages, {
        params: { id: profileId },
        query,
      });
      return page.total === 30;
    });
    expect(textsOf(profile).toSorted()).toEqual(['first', ...texts(30)].toSorted());
  });

  it('share a batch: each of its messages once, in order, wherever its lane is', async () => {
    const profile = await test.profile(one);
    await profile.sendAt(other, 'first');
    const batchId = await sendBulk(one, profile, 20);
    await passUntil(async () => (await getBatch(other, profile, batchId)).status === 'completed');
    expect(textsOf(profile)).toEqual(['first', ...texts(20)]);
  });

  it('cancel what the other one sends', async () => {
    const profile = await test.profile(one);
    const batchId = await sendBulk(one, profile, 50);
    await passUntil(() => textsOf(profile).length >= 3);
    await ask(other, profile, CancelBatch, { params: { batchId } });
    await passUntil(async () => (await getBatch(one, profile, batchId)).progress['pending'] === 0);
    const sent = textsOf(profile).length;
    test.clock.advance(10_000);
    expect(await getBatch(other, profile, batchId)).toMatchObject({
      status: 'cancelled',
      progress: { sent, cancelled: 50 - sent },
    });
    expect(textsOf(profile)).toEqual(texts(sent));
  });

  it('go on with a batch when one of them stops', async () => {
    const profile = await test.profile(one);
    await profile.sendAt(one, 'first');
    const batchId = await sendBulk(one, profile, 20);
    await passUntil(() => textsOf(profile).length >= 5);
    await one.stop();
    await passUntil(async () => (await getBatch(other, profile, batchId)).status === 'completed');
    expect(textsOf(profile)).toEqual(['first', ...texts(20)]);
  });
});
