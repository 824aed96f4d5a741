import { conversationIdOf } from '@messaging-gateway/contracts';
import type { RecordedEvent } from '@messaging-gateway/event-sourcing';
import { Refused } from '@messaging-gateway/messaging';
import type { Clock } from '@messaging-gateway/runtime';
import type { RequestContext } from '@messaging-gateway/service';
import type { DailyLimit } from '../gate/daily-limit.ts';
import type { Occasion, Recorder } from '../lanes/recorder.ts';
import type { MessageFacts, SendMode } from '../message/message-events.ts';
import { isKnown, type KnownMessage } from '../message/message-state.ts';
import { networkMessageIdOf } from '../message/network-message-id.ts';
import type { LaneRecords } from '../views/lane-records.ts';
import type { SendOrder } from './send-order.ts';

export interface AcceptanceParts {
  readonly mode: SendMode;
  readonly clock: Clock;
  readonly recorder: Recorder;
  readonly records: LaneRecords;
  readonly dailyLimit: DailyLimit;
  /** A send was refused at the daily limit. */
  readonly limited: () => void;
}

/** A message in the journal. */
export interface Accepted {
  readonly message: KnownMessage;
  readonly at: number;
  /** It was there before: the id stands for it already. */
  readonly isRepeat: boolean;
  readonly appended: readonly RecordedEvent[];
}

/** Appends a message with its place in the day's limit (architecture §5.2): the same wherever it is done. */
export class Acceptance {
  readonly #parts: AcceptanceParts;

  constructor(parts: AcceptanceParts) {
    this.#parts = parts;
  }

  /** @throws Refused NOT_FOUND, DAILY_LIMIT_REACHED */
  async append(order: SendOrder, messageId: string, context: RequestContext): Promise<Accepted> {
    const { clock, mode, recorder } = this.#parts;
    const at = clock.now();
    const { content, quotedMessageId } = order.draft;
    const facts = factsOf(order, messageId);
    const quoted = quotedMessageId === undefined ? {} : { quotedMessageId };
    const command = { type: 'AcceptMessage', facts, content, ...quoted, mode, at } as const;
    const { outcome, state, appended } = await recorder.record(occasionOf(facts, order, context), command);
    if (outcome === 'guarded' || !isKnown(state)) throw await this.#refusal(order);
    return { message: state, at, isRepeat: outcome !== 'appended', appended };
  }

  /** Why the gate gave no place: the profile is gone, or its day is full. */
  async #refusal({ draft: { profileId }, organizationId }: SendOrder): Promise<Refused> {
    const record = await this.#parts.records.find(profileId);
    if (record === undefined || record.closed || record.organizationId !== organizationId)
      return new Refused('NOT_FOUND', 'There is no such profile.');
    this.#parts.limited();
    return this.#parts.dailyLimit.refusal(record);
  }
}

function factsOf({ draft: { profileId, to, content, origin } }: SendOrder, messageId: string): MessageFacts {
  const conversationId = conversationIdOf(profileId, to);
  const networkMessageId = networkMessageIdOf(messageId);
  return { messageId, profileId, conversationId, networkMessageId, to, type: content.type, origin };
}

function occasionOf(
  { messageId, profileId }: MessageFacts,
  { organizationId, actor }: SendOrder,
  { requestId, traceparent }: RequestContext,
): Occasion {
  return {
    messageId,
    profileId,
    organizationId,
    actor,
    requestId,
    ...(traceparent !== undefined && { traceparent }),
  };
}
