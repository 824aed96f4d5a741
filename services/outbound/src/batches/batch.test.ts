import { describe, it } from '@jest/globals';
import { specification } from '@messaging-gateway/testing';
import { batch, type BatchCommand } from './batch.ts';
import type { BatchEvent, BatchFacts } from './batch.ts';

const given = specification(batch);
const batchId = '0198c0de-0000-7000-8000-00000000000a';
const message = { to: '4915112345678@c.us', content: { type: 'text' as const, content: { text: 'Hello' } } };
const facts: BatchFacts = {
  batchId,
  profileId: '0198c0de-0000-7000-8000-000000000001',
  total: 2,
  messages: [message, message],
  delay: 3000,
  randomizeDelay: false,
  stopOnError: false,
  createdAt: '2026-01-01T08:00:00.000Z',
  actor: 'user:1',
};
const counted = { sent: 1, failed: 1, at: Date.parse('2026-01-01T09:00:00.000Z') };
const accepted: BatchEvent = { type: 'BatchAccepted', data: facts };
const released = (index: number): BatchEvent => ({ type: 'BatchMessageReleased', data: { batchId, index, pause: 9 } });
const ended = (status: 'completed' | 'cancelled' | 'failed', from: number, reason?: string): BatchEvent => ({
  type: 'BatchEnded',
  data: {
    batchId,
    status,
    ...(reason !== undefined && { reason }),
    from,
    total: 2,
    sent: 1,
    failed: 1,
    at: '2026-01-01T09:00:00.000Z',
  },
});
const release = (index: number): BatchCommand => ({ type: 'Release', index, pause: 9 });
const fail: BatchCommand = { type: 'Fail', reason: 'DAILY_LIMIT_REACHED', from: 1, ...counted };

describe('a batch', () => {
  it('is accepted once, however often it is asked for', () => {
    given().when({ type: 'Accept', facts }).then(accepted);
    given(accepted).when({ type: 'Accept', facts }).thenNothing();
  });
  it('releases its messages in order, each once', () => {
    given().when(release(0)).thenRefused('NOT_FOUND');
    given(accepted).when(release(0)).then(released(0));
    given(accepted).when(release(1)).thenNothing();
    given(accepted, released(0)).when(release(0)).thenNothing();
    given(accepted, released(0)).when(release(1)).then(released(1));
    given(accepted, released(0), released(1)).when(release(2)).thenNothing();
  });
  it('is complete when all its messages are processed', () => {
    given(accepted, released(0), released(1))
      .when({ type: 'Complete', ...counted })
      .then(ended('completed', 2));
    given(accepted, released(0))
      .when({ type: 'Complete', ...counted })
      .thenNothing();
  });
  it('can be cancelled until it has ended; what was not released is cancelled', () => {
    given(accepted)
      .when({ type: 'Cancel', ...counted })
      .then(ended('cancelled', 0));
    given(accepted, released(0))
      .when({ type: 'Cancel', ...counted })
      .then(ended('cancelled', 1));
    for (const status of ['completed', 'cancelled', 'failed'] as const)
      given(accepted, ended(status, 0))
        .when({ type: 'Cancel', ...counted })
        .thenRefused('CONFLICT');
  });
  it('that was cancelled stays cancelled', () => {
    const cancelled = ended('cancelled', 1);
    given(accepted, released(0), cancelled).when(release(1)).thenNothing();
    given(accepted, released(0), cancelled).when(fail).thenNothing();
    given(accepted, released(0), released(1), cancelled)
      .when({ type: 'Complete', ...counted })
      .thenNothing();
  });
  it('fails at the daily limit, once', () => {
    given(accepted, released(0), released(1))
      .when(fail)
      .then(ended('failed', 1, 'DAILY_LIMIT_REACHED'));
    given(accepted, ended('failed', 1, 'DAILY_LIMIT_REACHED'))
      .when(fail)
      .thenNothing();
  });
});
