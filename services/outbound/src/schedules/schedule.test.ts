import { describe, it } from '@jest/globals';
import { specification } from '@messaging-gateway/testing';
import { schedule, type ScheduleCommand } from './schedule.ts';
import type { ScheduleEvent, ScheduleFacts } from './schedule.ts';

const given = specification(schedule);
const facts: ScheduleFacts = {
  scheduleId: '0198c0de-0000-7000-8000-000000000009',
  profileId: '0198c0de-0000-7000-8000-000000000001',
  to: '4915112345678@c.us',
  content: { type: 'text', content: { text: 'Hello' } },
  scheduledAt: '2026-01-02T08:00:00.000Z',
  createdAt: '2026-01-01T08:00:00.000Z',
  actor: 'user:1',
};
const { scheduleId } = facts;
const error = { code: 'DAILY_LIMIT_REACHED', message: 'The day is full.' };
const scheduled: ScheduleEvent = { type: 'MessageScheduled', data: facts };
const released: ScheduleEvent = { type: 'ScheduledMessageReleased', data: { scheduleId, late: false } };
const cancelled: ScheduleEvent = { type: 'ScheduledMessageCancelled', data: { scheduleId } };
const { profileId, to } = facts;
const failed: ScheduleEvent = {
  type: 'ScheduledMessageFailed',
  data: { scheduleId, profileId, to, type: 'text', error },
};
const make: ScheduleCommand = { type: 'Schedule', facts };
const release: ScheduleCommand = { type: 'Release', late: false };
const cancel: ScheduleCommand = { type: 'Cancel' };
const fail: ScheduleCommand = { type: 'Fail', error };

describe('a scheduled message', () => {
  it('is made once, however often it is asked for', () => {
    given().when(make).then(scheduled);
    given(scheduled).when(make).thenNothing();
    given(scheduled, cancelled).when(make).thenNothing();
  });
  it('is released once', () => {
    given(scheduled).when(release).then(released);
    given(scheduled, released).when(release).thenNothing();
    given().when(release).thenRefused('NOT_FOUND');
  });
  it('can be cancelled only while it is pending', () => {
    given(scheduled).when(cancel).then(cancelled);
    given().when(cancel).thenRefused('NOT_FOUND');
    for (const end of [released, failed, cancelled]) given(scheduled, end).when(cancel).thenRefused('CONFLICT');
  });
  it('that was cancelled is not sent, and does not fail', () => {
    given(scheduled, cancelled).when(release).thenNothing();
    given(scheduled, cancelled).when(fail).thenNothing();
  });
  it('fails before it is released or while it enters its lane, once', () => {
    given(scheduled).when(fail).then(failed);
    given(scheduled, released).when(fail).then(failed);
    given(scheduled, failed).when(fail).thenNothing();
    given(scheduled, failed).when(release).thenNothing();
  });
});
