import type { Clock } from '@messaging-gateway/runtime';
import { dayOf } from '../time/day.ts';
import { applyChange, gateChangeOf, handedOver, notAhead, type GateCount } from './gate-count.ts';
import type { MessageEvent } from '../message/message-events.ts';
import type { LaneRecord, LaneRecords } from './lane-records.ts';
import type { SendingPolicy } from './sending-policy.ts';

/** The send gate of a lane: its profile's policy and the count of its day, as the row says them, followed by the journal. */
export class SendGate {
  readonly profileId: string;
  readonly organizationId: string;
  readonly #records: Pick<LaneRecords, 'find'>;
  readonly #clock: Pick<Clock, 'now'>;
  #policy: SendingPolicy;
  #closed: boolean;
  #count: GateCount;
  #refreshing: Promise<unknown> = Promise.resolve();

  constructor(
    { profileId, organizationId, policy, closed, count }: LaneRecord,
    records: Pick<LaneRecords, 'find'>,
    clock: Pick<Clock, 'now'>,
  ) {
    this.profileId = profileId;
    this.organizationId = organizationId;
    this.#records = records;
    this.#clock = clock;
    this.#policy = policy;
    this.#closed = closed;
    this.#count = notAhead(count, clock.now());
  }

  get policy(): SendingPolicy {
    return this.#policy;
  }
  get isClosed(): boolean {
    return this.#closed;
  }
  get count(): GateCount {
    return this.#count;
  }
  /** The next message waits for the record of this one: the delay holds over a crash, and the count of the day is exact. */
  get waitsForRecord(): boolean {
    return this.#policy.messageDelayMs > 0 || this.#policy.dailyMessageLimit !== undefined;
  }
  /** Milliseconds since 1970. One more, because times are whole milliseconds: never earlier. */
  get opensAt(): number {
    const { messageDelayMs } = this.#policy;
    const { handedOverAt } = this.#count;
    return messageDelayMs === 0 || handedOverAt === 0 ? 0 : handedOverAt + messageDelayMs + 1;
  }

  isOverLimit(now: number): boolean {
    const { dailyMessageLimit } = this.#policy;
    return dailyMessageLimit !== undefined && handedOver(this.#count, dayOf(now)) >= dailyMessageLimit;
  }

  /** Something was written of a message of the lane. */
  apply(event: MessageEvent): void {
    const change = gateChangeOf(event);
    if (change !== undefined) this.#count = applyChange(this.#count, change);
  }

  /** A message was handed over. @param at milliseconds since 1970 */
  handedOver(at: number): void {
    this.#count = { ...this.#count, handedOverAt: Math.max(this.#count.handedOverAt, at) };
  }

  /** Reads policy and closing anew. One reading at a time: an older one never comes last. */
  refresh(): Promise<LaneRecord | undefined> {
    const reading = this.#refreshing.then(async () => {
      const record = await this.#records.find(this.profileId);
      if (record !== undefined) this.#policy = record.policy;
      this.#closed ||= record?.closed === true;
      return record;
    });
    this.#refreshing = reading.catch(() => undefined);
    return reading;
  }

  /** Reads the count anew; for a moment when nothing of the lane is on its way to it, but for what is being accepted. */
  async recount(): Promise<void> {
    const record = await this.#records.find(this.profileId);
    if (record !== undefined)
      this.#count = { ...notAhead(record.count, this.#clock.now()), reserved: this.#count.reserved };
  }
}
