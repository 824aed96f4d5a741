import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  ConversationHandover,
  CreateAutoReply,
  DeleteAutoReply,
  EvaluateAutomation,
  MessageReceived,
  MessageRecovered,
  MessageSent,
  ToggleAutoReply,
  UpdateAutoReply,
  type DataOf,
} from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import { v7 } from 'uuid';
import { automationTest, type AutomationTest } from '../testing/automation-test.ts';

let test: AutomationTest;
beforeAll(async () => {
  test = await automationTest({}, { replicas: 2 });
});
afterAll(() => test.stop());
beforeEach(() => {
  test.others.accepted.length = 0;
  test.others.handedOver.length = 0;
  test.others.person = {};
  test.others.outcome = () => 'sent';
  test.others.refusal = () => undefined;
});

let profileId = '';
let phone = 0;
/** A profile that nobody has used, and somebody who has not written. */
beforeEach(() => {
  profileId = v7();
  phone += 1;
});

const rule = (given: object = {}): Promise<{ id: string }> =>
  test.ask(CreateAutoReply, {
    body: { profileId, keywords: ['price'], response: 'Hello {{name|there}}', cooldownSeconds: 0, ...given },
  });
const write = (text: string, given: object = {}): ReturnType<AutomationTest['receive']> =>
  test.receive(text, { profileId, phone: String(4_915_100_000_000 + phone), ...given });
const reasons = async (): Promise<(string | null)[]> => {
  const rows = await test.service.sql.query<{ reason: string | null }>(
    'SELECT reason FROM runs WHERE profile_id = $1 ORDER BY started_at, run_id',
    [profileId],
  );
  return rows.map((row) => row.reason);
};
const statsOf = async (id: string) =>
  (
    await test.service.sql.query(
      'SELECT triggered::int, succeeded::int, failed::int FROM answerer_stats WHERE answerer_id = $1',
      [id],
    )
  )[0];

describe('an answerer', () => {
  it('answers a message once, with its placeholders filled, however often it is told', async () => {
    const { id } = await rule();
    test.others.person = { name: 'Ada' };
    const told = await write('What is the PRICE?');
    await test.rested();
    for (let times = 0; times < 3; times += 1) await write('What is the PRICE?', told);
    await test.rested();
    expect(test.others.texts).toEqual(['Hello Ada']);
    expect(await statsOf(id)).toEqual({ triggered: 1, succeeded: 1, failed: 0 });
  });

  it('answers what comes right after it was made, whichever replica made it', async () => {
    const many = async (text: string): Promise<unknown> => {
      phone += 8;
      return Promise.all(
        [1, 2, 3, 4, 5, 6, 7, 8].map((one) => write(text, { phone: String(4_915_100_000_000 + phone - one) })),
      );
    };
    // Both remember that nobody answers.
    await many('price');
    for (let times = 0; times < 2; times += 1) {
      await rule({ keywords: [`now ${times}`], response: `At once ${times}` });
      await many(`now ${times}`);
    }
    await test.rested();
    expect(test.others.texts.toSorted()).toEqual([...Array(8).fill('At once 0'), ...Array(8).fill('At once 1')]);
  });

  it('keeps still for old messages, in groups, when it is off or gone, and for what it does not know', async () => {
    const { id } = await rule();
    await write('price', { timestamp: new Date(test.service.clock.now() - 301_000).toISOString() });
    await write('price', { from: '120363041234567890@g.us', author: '4915112345678@c.us' });
    await write('cost');
    await test.ask(ToggleAutoReply, { params: { id } });
    await write('price');
    await test.ask(ToggleAutoReply, { params: { id } });
    await test.ask(DeleteAutoReply, { params: { id } });
    await write('price');
    await test.rested();
    expect(test.others.accepted).toEqual([]);
    expect(await reasons()).toEqual([]);
  });

  it('is asked in its order, and the first that matches answers', async () => {
    await rule({ response: 'First' });
    await rule({ response: 'Second' });
    await write('price');
    await test.rested();
    expect(test.others.texts).toEqual(['First']);
    const verdicts = async () => {
      const { candidates } = await test.ask<{ candidates: { verdict: string }[] }>(EvaluateAutomation, {
        body: { profileId, message: 'the price', from: '4915100000000' },
      });
      return candidates.map(({ verdict }) => verdict);
    };
    expect(await verdicts()).toEqual(['answers', 'earlier']);
  });

  it('keeps to its cooldown, for each chat by itself', async () => {
    const { id } = await rule({ cooldownSeconds: 60 });
    await write('price');
    await write('price');
    await write('price', { phone: '4915100099999' });
    await test.rested();
    expect(test.others.accepted).toHaveLength(2);
    expect(await statsOf(id)).toEqual({ triggered: 3, succeeded: 2, failed: 0 });
    test.service.clock.advance(61_000);
    await write('price');
    await test.rested();
    expect(test.others.accepted).toHaveLength(3);
    expect((await reasons()).filter((reason) => reason !== null)).toEqual(['cooldown']);
  });

  it('sends a chat five messages a minute at most, and the same text three times in ten minutes', async () => {
    await rule({ response: 'About {{message}}' });
    for (let number = 0; number < 12; number += 1) await write(`price ${number}`);
    await test.rested();
    expect(test.others.accepted).toHaveLength(5);
    expect((await reasons()).filter((reason) => reason === 'rate_limited')).toHaveLength(7);
    for (let times = 0; times < 4; times += 1) {
      test.service.clock.advance(61_000);
      await write('price again');
      await test.rested();
    }
    expect(test.others.accepted).toHaveLength(8);
    expect((await reasons()).filter((reason) => reason === 'same_text')).toHaveLength(1);
  });

  it('of a surge from many chats answers each', async () => {
    await rule();
    await Promise.all(Array.from({ length: 200 }, (_, n) => write('price', { phone: String(4_915_200_000_000 + n) })));
    await test.rested();
    expect(test.others.accepted).toHaveLength(200);
    expect(new Set(test.others.accepted.map(({ to }) => to)).size).toBe(200);
  });

  it('mutes a chat for a day after sixty messages an hour without a human, and a human ends that', async () => {
    await rule({ response: 'About {{message}}' });
    const begun = test.service.clock.now();
    for (let number = 0; number < 70; number += 1) {
      await write(`price ${number}`);
      await test.rested();
      test.service.clock.advance(13_000);
    }
    expect(test.service.clock.now() - begun).toBeLessThan(3_600_000);
    expect(test.others.accepted).toHaveLength(60);
    expect((await reasons()).filter((reason) => reason === 'muted')).toHaveLength(10);
    const { conversationId } = await write('price at last');
    await test.rested();
    expect(test.others.accepted).toHaveLength(60);
    const sent = { ...(MessageSent.example as DataOf<typeof MessageSent>), conversationId, origin: 'api' as const };
    const timestamp = new Date(test.service.clock.now()).toISOString();
    const { organizationId } = test.caller;
    await test.service.emit(MessageSent, { ...sent, timestamp }, { organizationId, profileId });
    await write('price after all');
    await test.rested();
    expect(test.others.accepted).toHaveLength(61);
  });

  it('keeps still while a human has the chat', async () => {
    await rule();
    test.others.person = { handoverUntil: new Date(test.service.clock.now() + 60_000).toISOString() };
    await write('price');
    await test.rested();
    expect(test.others.accepted).toEqual([]);
    expect(await reasons()).toEqual(['handover']);
    test.others.person = { handoverUntil: new Date(test.service.clock.now() - 1).toISOString() };
    await write('price');
    await test.rested();
    expect(test.others.accepted).toHaveLength(1);
  });

  it('counts a message that never left as failed, and one over the daily limit as held back', async () => {
    const { id } = await rule();
    test.others.outcome = () => 'failed';
    await write('price');
    await test.rested();
    test.others.refusal = () => new Refused('DAILY_LIMIT_REACHED', 'Not today.');
    await write('price');
    await test.rested();
    expect(await statsOf(id)).toEqual({ triggered: 2, succeeded: 0, failed: 1 });
    expect(await reasons()).toEqual([null, 'daily_limit']);
  });

  it('answers as it was changed', async () => {
    const { id } = await rule();
    await test.ask(UpdateAutoReply, { params: { id }, body: { keywords: ['cost'], response: 'Cheap' } });
    await write('price');
    await write('cost');
    await test.rested();
    expect(test.others.texts).toEqual(['Cheap']);
  });

  it('answers a message whose content came late, unless it is too old', async () => {
    await rule();
    const { organizationId } = test.caller;
    const missing = {
      type: 'unsupported' as const,
      content: { type: 'unsupported' as const, kind: 'unavailable', reason: 'notDelivered' as const },
    };
    const { body: _, ...received } = await write('', missing);
    await test.rested();
    expect(test.others.texts).toEqual([]);
    const recovered = {
      ...received,
      type: 'text' as const,
      body: 'price',
      content: { type: 'text' as const, text: 'price' },
    };
    await test.service.emit(MessageRecovered, recovered, { organizationId, profileId });
    await test.rested();
    expect(test.others.texts).toHaveLength(1);
    const timestamp = new Date(test.service.clock.now() - 24 * 3_600_000).toISOString();
    await test.service.emit(MessageRecovered, { ...recovered, id: v7(), timestamp }, { organizationId, profileId });
    await test.rested();
    expect(test.others.texts).toHaveLength(1);
  });

  it('goes on where it was when the service begins again', async () => {
    await rule();
    test.others.outcome = () => 'silent';
    await write('price');
    await test.passUntil(() => test.others.accepted.length === 1, 20);
    await test.service.restart();
    await test.passUntil(() => test.others.handedOver.length > 1, 60_000);
    expect(test.others.accepted).toHaveLength(1);
  });

  it('takes in facts of which it knows nothing', async () => {
    const { organizationId } = test.caller;
    const example = ConversationHandover.example as DataOf<typeof ConversationHandover>;
    await test.service.emit(ConversationHandover, example, { organizationId, profileId });
    const received = MessageReceived.example as DataOf<typeof MessageReceived>;
    await test.service.emit(MessageReceived, { ...received, id: v7() }, { organizationId, profileId: v7() });
    expect(await reasons()).toEqual([]);
  });
});
