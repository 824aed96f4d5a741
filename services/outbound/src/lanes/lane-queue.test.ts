import { describe, expect, it } from '@jest/globals';
import type { Sql } from '@messaging-gateway/service';
import type { LaneEntry } from './lane-entry.ts';
import { LaneQueue } from './lane-queue.ts';

const entry = (messageId: string): LaneEntry => ({
  messageId,
  conversationId: 'chat',
  mode: 'durable',
  acceptedAt: 0,
  phase: 'waiting',
  attempts: 0,
  settlements: 0,
});

const row = (messageId: string): object => ({
  message_id: messageId,
  conversation_id: 'chat',
  mode: 'durable',
  accepted_at: new Date(0),
  outcome_lost: false,
  attempts: 0,
  due_at: null,
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

const order = (queue: LaneQueue): string[] => queue.entries.map(({ messageId }) => messageId);

describe('the queue of a lane', () => {
  it('does not take back what a receipt has settled while it was taken', () => {
    const queue = new LaneQueue(table().sql, 'profile', 'nothing');
    const [settled, open] = [entry('settled'), entry('open')];
    for (const one of [settled, open]) {
      queue.enter(one);
      queue.take(one);
    }
    queue.drop('settled');
    for (const one of [settled, open]) queue.putBack(one);
    expect(order(queue)).toEqual(['open']);
    expect(queue.knows('settled')).toBe(false);
  });

  it('keeps the order in which messages were asked for', () => {
    const queue = new LaneQueue(table().sql, 'profile', 'nothing');
    for (const id of ['first', 'second']) queue.expect(id);
    queue.enter(entry('second'));
    queue.enter(entry('first'));
    expect(order(queue)).toEqual(['first', 'second']);
  });

  it('puts a message that was asked for while others lay in the table only behind those', async () => {
    const { sql } = table('first', 'second');
    const queue = new LaneQueue(sql, 'profile', 'gone');
    queue.expect('third');
    await queue.topUp();
    queue.enter(entry('third'));
    expect(order(queue)).toEqual(['first', 'second', 'third']);
  });

  it('goes on with the trace of a message that another process had accepted', async () => {
    const queue = new LaneQueue(table('first').sql, 'profile', 'gone');
    await queue.topUp();
    expect(queue.entries.map(({ traceparent }) => traceparent)).toEqual(['trace of first']);
  });

  it('puts a message whose row is there already between its neighbours', async () => {
    const { sql } = table('first', 'second', 'third');
    const queue = new LaneQueue(sql, 'profile', 'gone');
    queue.expect('second');
    await queue.topUp();
    queue.enter(entry('second'));
    expect(order(queue)).toEqual(['first', 'second', 'third']);
  });
});
