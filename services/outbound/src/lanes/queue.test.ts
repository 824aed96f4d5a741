import { describe, expect, it } from '@jest/globals';
import type { Sql } from '@messaging-gateway/service';
import { message, type MessageCommand, type MessageFacts } from '../message/message.ts';
import type { Recorded } from './journal.ts';
import { LaneQueue } from './queue.ts';

/** The journal's record of commands on one message. */
function recorded(messageId: string, ...commands: MessageCommand[]): Recorded {
  const facts: MessageFacts = {
    messageId,
    profileId: 'profile',
    conversationId: 'chat',
    networkMessageId: messageId,
    to: 'chat',
    type: 'text',
    origin: 'api',
  };
  const content = { type: 'text', content: { text: 'Hello' } } as const;
  const accept = { type: 'AcceptMessage', facts, content, mode: 'durable', at: 0 } as const;
  let state = message.initial;
  let events: Recorded['events'] = [];
  for (const command of [accept, ...commands]) {
    events = message.decide(command, state);
    state = events.reduce((before, event) => message.evolve(before, event), state);
  }
  const place = { stream: `message-${messageId}`, generation: 1, position: 1n, at: new Date(0) };
  const appended = events.map(
    ({ type, data }, version) =>
      ({ ...place, version, type, data, metadata: {} }) as unknown as Recorded['appended'][0],
  );
  return { outcome: 'appended', state, version: 1, events, appended };
}

const row = (messageId: string): object => ({
  message_id: messageId,
  conversation_id: 'chat',
  mode: 'durable',
  accepted_at: new Date(0),
  outcome_lost: false,
  attempts: 0,
  due_at: null,
  expires_at: null,
  traceparent: `trace of ${messageId}`,
});

/** The table `queue`: what was accepted, in the order of acceptance. */
function table(...accepted: string[]): { sql: Sql; accept(messageId: string): void } {
  const query: Sql['query'] = async <Row>() => accepted.map(row) as Row[];
  return {
    sql: { query, transaction: () => Promise.reject(new Error('No transactions here.')) },
    accept: (id) => accepted.push(id),
  };
}

const order = (queue: LaneQueue): string[] => queue.messages.map(({ messageId }) => messageId);

describe('the queue of a lane', () => {
  it('does not take back what a receipt has settled while it was in hand', () => {
    const queue = new LaneQueue(table().sql, 'profile', 'nothing');
    for (const id of ['settled', 'open']) queue.apply(recorded(id));
    for (const one of queue.free) one.isInHand = true;
    expect(queue.free).toEqual([]);
    queue.apply(recorded('settled', { type: 'ConfirmSent', handedOverAt: 0 }));
    for (const one of queue.messages) one.isInHand = false;
    expect(order(queue)).toEqual(['open']);
    expect(queue.knows('settled')).toBe(false);
  });

  it('follows what the journal says of a message', () => {
    const queue = new LaneQueue(table().sql, 'profile', 'nothing');
    queue.apply(recorded('refused'));
    const error = { code: 'ENGINE_REFUSED', message: 'No.' };
    queue.apply(recorded('refused', { type: 'RefuseDelivery', error, attempt: 1, at: 500 }));
    expect(queue.free).toMatchObject([{ phase: 'waiting', attempts: 1, dueAt: 1500 }]);
    queue.apply(recorded('refused', { type: 'LoseOutcome', handedOverAt: 2000 }));
    expect(queue.free).toMatchObject([{ phase: 'unsettled', attempts: 1 }]);
    queue.apply(recorded('refused', { type: 'LoseOutcome', handedOverAt: 2000 }, { type: 'AbandonSettlement' }));
    expect(order(queue)).toEqual([]);
  });

  it('keeps the order in which messages were asked for', () => {
    const queue = new LaneQueue(table().sql, 'profile', 'nothing');
    for (const id of ['first', 'second']) queue.reserve(id, undefined);
    for (const id of ['second', 'first']) queue.apply(recorded(id));
    expect(order(queue)).toEqual(['first', 'second']);
  });

  it('puts a message that was asked for while others lay in the table only behind those', async () => {
    const { sql } = table('first', 'second');
    const queue = new LaneQueue(sql, 'profile', 'gone');
    queue.reserve('third', undefined);
    await queue.topUp();
    queue.apply(recorded('third'));
    expect(order(queue)).toEqual(['first', 'second', 'third']);
  });

  it('goes on with the trace of a message that another process had accepted', async () => {
    const queue = new LaneQueue(table('first').sql, 'profile', 'gone');
    await queue.topUp();
    expect(queue.messages.map(({ traceparent }) => traceparent)).toEqual(['trace of first']);
  });

  it('puts a message whose row is there already between its neighbours', async () => {
    const { sql } = table('first', 'second', 'third');
    const queue = new LaneQueue(sql, 'profile', 'gone');
    queue.reserve('second', undefined);
    await queue.topUp();
    queue.apply(recorded('second'));
    expect(order(queue)).toEqual(['first', 'second', 'third']);
  });
});
