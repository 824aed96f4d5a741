import type { MessageContentOf } from '@messaging-gateway/contracts';
import type { Decider, StreamType } from '@messaging-gateway/event-sourcing';
import { Refused } from '@messaging-gateway/messaging';
import type { Failure } from '../message/message.ts';

type Fact<Type extends string, Data> = { readonly type: Type; readonly data: Data };

/** Content, receiver and time of a scheduled message. Times in ISO 8601. */
export interface ScheduleFacts {
  /** Also the id of the message that goes out. */
  readonly scheduleId: string;
  readonly profileId: string;
  /** JID of the chat. */
  readonly to: string;
  readonly content: MessageContentOf;
  readonly quotedMessageId?: string;
  readonly scheduledAt: string;
  readonly createdAt: string;
  /** `user:…` or `api_key:…` */
  readonly actor: string;
}

type MessageScheduled = Fact<'MessageScheduled', ScheduleFacts>;
/** The message is on its way into its lane; its outcome is told by the message of the same id. */
type ScheduledMessageReleased = Fact<
  'ScheduledMessageReleased',
  {
    readonly scheduleId: string;
    /** Whether the time was missed, or the profile was not connected when the message was due. */
    readonly late: boolean;
  }
>;
/** The message failed before it was accepted. */
type ScheduledMessageFailed = Fact<
  'ScheduledMessageFailed',
  Pick<ScheduleFacts, 'scheduleId' | 'profileId' | 'to'> & {
    /** Absent when the content was erased. */
    readonly type?: MessageContentOf['type'];
    readonly error: Failure;
  }
>;
type ScheduledMessageCancelled = Fact<'ScheduledMessageCancelled', { readonly scheduleId: string }>;

export type ScheduleEvent =
  | MessageScheduled
  | ScheduledMessageReleased
  | ScheduledMessageFailed
  | ScheduledMessageCancelled;

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

/** `schedule-<scheduleId>`: one may wait for longer than the retention, so it goes when it has been settled for long (`later/history.ts`). */
export const scheduleStream: StreamType<Schedule, ScheduleCommand, ScheduleEvent> = {
  name: 'schedule',
  decider: schedule,
  events: {
    MessageScheduled: { version: 1, personal: ['to', 'content'] },
    ScheduledMessageReleased: { version: 1 },
    ScheduledMessageFailed: { version: 1, personal: ['to'] },
    ScheduledMessageCancelled: { version: 1 },
  },
};
