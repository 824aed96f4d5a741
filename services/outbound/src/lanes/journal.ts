import type { AuditMark, EventMetadata, EventStore, Handled, RecordedEvent } from '@messaging-gateway/event-sourcing';
import { isUnavailable, type Clock } from '@messaging-gateway/runtime';
import { dayOf } from '../time/day.ts';
import type { PlaceRequest } from '../gate/place-guard.ts';
import { isChange, type MessageEvent } from '../message/message-events.ts';
import { type Message, type MessageCommand, messageStream } from '../message/message.ts';

/** Of which message something is written, and why. */
export interface Occasion {
  readonly messageId: string;
  readonly organizationId: string;
  readonly profileId: string;
  readonly requestId?: string;
  readonly traceparent?: string;
  readonly actor?: string;
  /** The request that asked for it. */
  readonly audit?: AuditMark;
  /** Id of the event that caused it. */
  readonly cause?: string;
  /** How long the record may wait for others to go with, milliseconds: nobody waits for it. */
  readonly patienceMs?: number;
  /** When it happened, where that was told already. */
  readonly at?: Date;
}

export type Recorded = Handled<Message, MessageEvent> & { readonly appended: readonly RecordedEvent[] };

/** Hears of what was recorded before the call that recorded it returns. */
export type Follower = (recorded: Recorded, occasion: Occasion) => void;

const longestPause = 2000;

/**
 * Where everything that happens to messages is written, and whence lanes, waiting requests and counters know it. Each change of
 * a lane passes the guard, which locks lanes in one order.
 */
export class MessageJournal {
  readonly #store: EventStore;
  readonly #clock: Clock;
  readonly #followers: Follower[] = [];

  constructor(store: EventStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Followers hear of a record in the order in which they came. */
  follow(...followers: Follower[]): void {
    this.#followers.push(...followers);
  }

  /** One command on a message. @throws what the decider throws; Unavailable */
  async record(occasion: Occasion, command: MessageCommand): Promise<Recorded> {
    const { messageId, patienceMs, at, ...metadata } = occasion;
    let appended: readonly RecordedEvent[] = [];
    const handled = await this.#store.handle(messageStream, messageId, command, {
      metadata: { ...metadata, subject: `organization:${occasion.organizationId}` } satisfies EventMetadata,
      onAppended: (events) => void (appended = events),
      ...(changesLane(command) && { guard: { name: 'place', request: this.#placeFor(occasion, command) } }),
      ...(patienceMs !== undefined && { patienceMs }),
      ...(at !== undefined && { at }),
    });
    const recorded = { ...handled, appended };
    for (const follower of this.#followers) follower(recorded, occasion);
    return recorded;
  }

  /**
   * The same, again until the database is back: what the network said must not be forgotten. Rejects only when stopped,
   * or when it may not be said any more.
   *
   * @param still asked before each try
   */
  async recordSurely(
    occasion: Occasion,
    command: MessageCommand,
    signal: AbortSignal,
    still: () => boolean,
  ): Promise<Recorded> {
    for (let pause = 50; ; pause = Math.min(pause * 2, longestPause)) {
      if (!still()) throw new Error('The lane is owned by another process.');
      try {
        return await this.record(occasion, command);
      } catch (error) {
        if (!isUnavailable(error)) throw error;
      }
      await this.#clock.sleep(pause, signal);
    }
  }

  #placeFor({ profileId }: Occasion, command: MessageCommand): PlaceRequest {
    const places = command.type === 'AcceptMessage' && !isChange(command.facts.type) ? 1 : 0;
    return { profileId, places, day: dayOf(this.#clock.now()) };
  }
}

const changesLane = (command: MessageCommand): boolean => command.type !== 'RecordReceipt' || command.confirms;
