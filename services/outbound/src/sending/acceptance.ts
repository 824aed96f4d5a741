import { conversationIdOf } from '@messaging-gateway/contracts';
import type { RecordedEvent } from '@messaging-gateway/event-sourcing';
import { Refused } from '@messaging-gateway/messaging';
import type { Clock } from '@messaging-gateway/runtime';
import { auditMarkOf, type RequestContext } from '@messaging-gateway/service';
import type { DailyLimit } from '../gate/daily-limit.ts';
import type { Occasion, Recorder } from '../lanes/recorder.ts';
import { isChange, type MessageFacts, type SendMode } from '../message/message-events.ts';
import { isKnown, type KnownMessage } from '../message/message-state.ts';
import { networkMessageIdOf } from '../message/network-message-id.ts';
import type { LaneRecords } from '../views/lane-records.ts';
import type { Asking } from './connection-check.ts';
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

/** The request that a message is accepted for; without `appended` nobody waits for it, and it is nobody's change. */
type Accepting = Asking & Partial<Pick<RequestContext, 'appended'>>;

/** Appends a message with its place in the day's limit: the same wherever it is done. */
export class Acceptance {
  readonly #parts: AcceptanceParts;

  constructor(parts: AcceptanceParts) {
    this.#parts = parts;
  }

  /** @throws Refused NOT_FOUND, DAILY_LIMIT_REACHED */
  async append(order: SendOrder, messageId: string, context: Accepting): Promise<Accepted> {
    const { clock, recorder } = this.#parts;
    const { mode = this.#parts.mode } = order.draft;
    const at = clock.now();
    const { content, quotedMessageId } = order.draft;
    const facts = factsOf(order, messageId);
    // The guard gives every place of none.
    if (isChange(facts.type)) await this.#assertOpen(order);
    const quoted = quotedMessageId === undefined ? {} : { quotedMessageId };
    const command = { type: 'AcceptMessage', facts, content, ...quoted, mode, at } as const;
    const { outcome, state, appended } = await recorder.record(occasionOf(facts, order, context), command);
    if (outcome === 'guarded' || !isKnown(state)) throw await this.#refusal(order);
    return { message: state, at, isRepeat: outcome !== 'appended', appended };
  }

  /** @throws Refused NOT_FOUND when the organization has no such profile */
  async #assertOpen({ draft: { profileId }, organizationId }: SendOrder): Promise<void> {
    const record = await this.#parts.records.find(profileId);
    if (record === undefined || record.closed || record.organizationId !== organizationId) throw noSuchProfile();
  }

  /** Why the gate gave no place: the profile is gone, or its day is full. */
  async #refusal({ draft: { profileId }, organizationId }: SendOrder): Promise<Refused> {
    const record = await this.#parts.records.find(profileId);
    if (record === undefined || record.closed || record.organizationId !== organizationId) return noSuchProfile();
    this.#parts.limited();
    return this.#parts.dailyLimit.refusal(record);
  }
}

const noSuchProfile = (): Refused => new Refused('NOT_FOUND', 'There is no such profile.');

function factsOf({ draft: { profileId, to, content, origin } }: SendOrder, messageId: string): MessageFacts {
  const conversationId = conversationIdOf(profileId, to);
  const networkMessageId = networkMessageIdOf(messageId);
  return { messageId, profileId, conversationId, networkMessageId, to, type: content.type, origin };
}

function occasionOf(
  { messageId, profileId }: MessageFacts,
  { organizationId, actor }: SendOrder,
  { requestId, traceparent, appended }: Accepting,
): Occasion {
  const audit = appended && auditMarkOf({ appended });
  return {
    messageId,
    profileId,
    organizationId,
    actor,
    requestId,
    ...(traceparent !== undefined && { traceparent }),
    ...(audit && { audit }),
  };
}
