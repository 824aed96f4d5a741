import { describe, it } from '@jest/globals';
import { specification } from '@messaging-gateway/testing';
import { broadcast, type BroadcastCommand, type BroadcastEvent, type BroadcastFacts } from './broadcast.ts';

const given = specification(broadcast);
const broadcastId = '0198c0de-0000-7000-8000-00000000000c';
const now = Date.parse('2026-01-01T10:00:00.000Z');
const at = new Date(now).toISOString();
const facts: BroadcastFacts = {
  broadcastId,
  profileId: '0198c0de-0000-7000-8000-000000000001',
  name: 'Sale',
  message: { type: 'text', text: 'Hi' },
  recipients: { type: 'all' },
  settings: { delayMin: 0, delayMax: 0, batchSize: 50, retryFailed: true, retryAttempts: 3 },
  createdAt: at,
  actor: 'user:somebody',
};
const counts = { total: 3, sent: 1, failed: 0 };
const message = { type: 'text', content: { text: 'Hi' } };
const fixed = { audienceId: broadcastId, total: 3, skipped: 0, zones: [''], message };

const drafted: BroadcastEvent = { type: 'BroadcastDrafted', data: facts };
const scheduled: BroadcastEvent = { type: 'BroadcastScheduled', data: { broadcastId, scheduledAt: at, at } };
const started: BroadcastEvent = {
  type: 'BroadcastStarted',
  data: { broadcastId, profileId: facts.profileId, ...fixed, at },
};
const pausedByUser: BroadcastEvent = { type: 'BroadcastPaused', data: { broadcastId, reason: 'user', at } };
const pausedByLimit: BroadcastEvent = {
  type: 'BroadcastPaused',
  data: { broadcastId, reason: 'daily_limit', resumesAt: at, at },
};
const resumed: BroadcastEvent = { type: 'BroadcastResumed', data: { broadcastId, at } };
const cancelled: BroadcastEvent = { type: 'BroadcastCancelled', data: { broadcastId, ...counts, at } };
const completed: BroadcastEvent = { type: 'BroadcastCompleted', data: { broadcastId, ...counts, at } };
const failed: BroadcastEvent = {
  type: 'BroadcastFailed',
  data: { broadcastId, ...counts, reason: 'PROFILE_DELETED', at },
};
const deleted: BroadcastEvent = { type: 'BroadcastDeleted', data: { broadcastId, at } };

const states = {
  draft: [drafted],
  scheduled: [drafted, scheduled],
  running: [drafted, started],
  paused: [drafted, started, pausedByUser],
  waiting: [drafted, started, pausedByLimit],
  completed: [drafted, started, completed],
  cancelled: [drafted, started, cancelled],
  failed: [drafted, started, failed],
} as const satisfies Record<string, readonly BroadcastEvent[]>;
type State = keyof typeof states;

/** Commands of clients, the event of each, and the states in which it is not refused. */
const asked: readonly [BroadcastCommand, BroadcastEvent, readonly State[]][] = [
  [{ type: 'Change', facts, at: now }, { type: 'BroadcastChanged', data: { ...facts, at } }, ['draft', 'scheduled']],
  [{ type: 'Schedule', scheduledAt: now, at: now }, scheduled, ['draft', 'scheduled']],
  [{ type: 'Start', fixed, at: now }, started, ['draft', 'scheduled']],
  [{ type: 'Pause', at: now }, pausedByUser, ['running', 'waiting']],
  [{ type: 'Resume', at: now }, resumed, ['paused', 'waiting']],
  [{ type: 'Cancel', counts, at: now }, cancelled, ['scheduled', 'running', 'paused', 'waiting']],
  [
    { type: 'Delete', at: now },
    deleted,
    ['draft', 'scheduled', 'paused', 'waiting', 'completed', 'cancelled', 'failed'],
  ],
];

describe('a broadcast', () => {
  it('is drafted once', () => {
    given().when({ type: 'Draft', facts }).then(drafted);
    given(drafted).when({ type: 'Draft', facts }).thenNothing();
    given().when({ type: 'Pause', at: now }).thenRefused('NOT_FOUND');
    given(drafted, deleted).when({ type: 'Pause', at: now }).thenRefused('NOT_FOUND');
  });

  it.each(asked)('goes only where it may: %j', (command, event, allowed) => {
    for (const state of Object.keys(states) as State[]) {
      const before = given(...states[state]).when(command);
      if (allowed.includes(state)) before.then(event);
      else before.thenRefused('CONFLICT');
    }
  });

  it('pauses at the limit while it runs, and only then', () => {
    const hit: BroadcastCommand = { type: 'HitLimit', resumesAt: now, at: now };
    given(...states.running)
      .when(hit)
      .then(pausedByLimit);
    given(...states.paused)
      .when(hit)
      .thenNothing();
    given(...states.cancelled)
      .when(hit)
      .thenNothing();
  });

  it('ends once', () => {
    const complete: BroadcastCommand = { type: 'Complete', counts, at: now };
    const fail: BroadcastCommand = { type: 'Fail', reason: 'PROFILE_DELETED', counts, at: now };
    given(...states.running)
      .when(complete)
      .then(completed);
    given(...states.paused)
      .when(fail)
      .then(failed);
    given(...states.scheduled)
      .when(fail)
      .then(failed);
    given(...states.draft)
      .when(fail)
      .thenNothing();
    for (const state of ['completed', 'cancelled', 'failed'] as const) {
      given(...states[state])
        .when(complete)
        .thenNothing();
      given(...states[state])
        .when(fail)
        .thenNothing();
    }
  });
});
