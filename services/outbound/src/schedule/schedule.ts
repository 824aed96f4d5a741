import type { Decider } from '@messaging-gateway/event-sourcing';
import { Refused } from '@messaging-gateway/messaging';
import type { Failure } from '../message/message-events.ts';
import type { ScheduleEvent, ScheduleFacts } from './schedule-events.ts';

export type ScheduleCommand =
  | { readonly type: 'Schedule'; readonly facts: ScheduleFacts }
  | { readonly type: 'Cancel' }
  | { readonly type: 'Release'; readonly late: boolean }
  | { readonly type: 'Fail'; readonly error: Failure };

export type Schedule =
  | { readonly status: 'none' }
  | { readonly status: 'pending' | 'released' | 'failed' | 'cancelled'; readonly facts: ScheduleFacts };

function decide(command: ScheduleCommand, state: Schedule): readonly ScheduleEvent[] {
  if (command.type === 'Schedule')
    return state.status === 'none' ? [{ type: 'MessageScheduled', data: command.facts }] : [];
  if (state.status === 'none') throw new Refused('NOT_FOUND', 'There is no such scheduled message.');
  const { scheduleId, profileId, to, content } = state.facts;
  switch (command.type) {
    case 'Cancel':
      if (state.status === 'pending') return [{ type: 'ScheduledMessageCancelled', data: { scheduleId } }];
      throw new Refused('CONFLICT', 'The scheduled message is not pending any more.');
    case 'Release':
      return state.status === 'pending'
        ? [{ type: 'ScheduledMessageReleased', data: { scheduleId, late: command.late } }]
        : [];
    case 'Fail':
      return state.status === 'pending' || state.status === 'released'
        ? [
            {
              type: 'ScheduledMessageFailed',
              data: { scheduleId, profileId, to, type: content.type, error: command.error },
            },
          ]
        : [];
  }
}

const statusAfter = {
  MessageScheduled: 'pending',
  ScheduledMessageReleased: 'released',
  ScheduledMessageFailed: 'failed',
  ScheduledMessageCancelled: 'cancelled',
} as const;

function evolve(state: Schedule, event: ScheduleEvent): Schedule {
  const status = statusAfter[event.type];
  if (event.type === 'MessageScheduled') return { status, facts: event.data };
  return state.status === 'none' ? state : { status, facts: state.facts };
}

/** A message that waits for its time (`docs/decisions/0370-what-is-sent-later.md`). */
export const schedule: Decider<Schedule, ScheduleCommand, ScheduleEvent> = {
  initial: { status: 'none' },
  decide,
  evolve,
};
