import type { MessageContentOf } from '@messaging-gateway/contracts';
import type { Failure } from '../message/message-events.ts';

type Fact<Type extends string, Data> = { readonly type: Type; readonly data: Data };

/** What is to be sent to whom, and when. Times in ISO 8601. */
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
/** It is on its way into its lane; what becomes of it is told by the message of the same id. */
type ScheduledMessageReleased = Fact<
  'ScheduledMessageReleased',
  {
    readonly scheduleId: string;
    /** It was missed, or its profile was not connected when it was due. */
    readonly late: boolean;
  }
>;
/** It failed before there was a message. */
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
