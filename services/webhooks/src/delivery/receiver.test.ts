import { describe, expect, it } from '@jest/globals';
import { v7 } from 'uuid';
import type { Delivery } from './delivery.ts';
import { Receiver } from './receiver.ts';

const webhook = { webhookId: v7(), organizationId: v7() };
const delivery = (event: string, conversationId: string, text: string): Delivery => ({
  ...webhook,
  webhookVersion: 1,
  eventId: text,
  profileId: null,
  occurredAt: new Date(0),
  body: JSON.stringify({ event, data: { conversationId, body: `"conversationId":"${v7()}" ${text}` } }),
  sourceSequence: null,
  attempts: 0,
});

describe('deliveries of one webhook', () => {
  it('of new messages in one chat are sent one after the other, all else beside them', () => {
    const receiver = new Receiver(webhook);
    const [one, other] = [v7(), v7()];
    receiver.take([
      delivery('message.received', one, 'first'),
      delivery('message.received', one, 'second'),
      delivery('message.received', other, 'elsewhere'),
      delivery('message.reaction', one, 'reaction'),
    ]);
    const first = receiver.next();
    expect([first, receiver.next(), receiver.next()].map((next) => next?.eventId)).toEqual([
      'first',
      'elsewhere',
      'reaction',
    ]);
    expect([receiver.isReady(10), receiver.next()]).toEqual([false, undefined]);
    receiver.settled(first as Delivery, false, undefined);
    expect([receiver.isReady(10), receiver.next()?.eventId]).toEqual([true, 'second']);
  });
});
