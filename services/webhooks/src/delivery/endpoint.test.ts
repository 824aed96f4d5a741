import { describe, expect, it } from '@jest/globals';
import { v7 } from 'uuid';
import type { Delivery } from './delivery.ts';
import { Endpoint } from './endpoint.ts';

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
    const endpoint = new Endpoint(webhook);
    const [one, other] = [v7(), v7()];
    endpoint.queue.push(
      delivery('message.received', one, 'first'),
      delivery('message.received', one, 'second'),
      delivery('message.received', other, 'elsewhere'),
      delivery('message.reaction', one, 'reaction'),
    );
    const first = endpoint.next();
    expect([first, endpoint.next(), endpoint.next()].map((next) => next?.eventId)).toEqual([
      'first',
      'elsewhere',
      'reaction',
    ]);
    expect([endpoint.ready(10), endpoint.next()]).toEqual([false, undefined]);
    endpoint.settled(first as Delivery, false);
    expect([endpoint.ready(10), endpoint.next()?.eventId]).toEqual([true, 'second']);
  });
});
