import type { AuditMark, EventMetadata, EventStore, Handled, RecordedEvent } from '@messaging-gateway/event-sourcing';
import { type Clock, isUnavailable } from '@messaging-gateway/runtime';
import type { PlaceRequest } from '../gate/place-guard.ts';
import {
  evolve,
  isChange,
  isKnown,
  type KnownMessage,
  message,
  type Message,
  type MessageCommand,
  type MessageEvent,
  messageStream,
} from '../message/message.ts';
import { dayOf } from '../time/clock.ts';
import type { AcceptedMessage, OpenMessage, Parcel } from './agenda.ts';

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

interface Listener {
  readonly types: ReadonlySet<string>;
  readonly tell: (event: never) => void;
}

const longestPause = 2000;

/**
 * Where everything that happens to messages is written, and whence lanes, waiting requests and counters know it. Each change of
 * a lane passes the guard, which locks lanes in one order.
 */
export class MessageJournal {
  readonly #store: EventStore;
  readonly #clock: Clock;
  readonly #followers: Follower[] = [];
  readonly #listeners: Listener[] = [];

  constructor(store: EventStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Followers hear of a record in the order in which they came. */
  follow(...followers: Follower[]): void {
    this.#followers.push(...followers);
  }

  /** Listeners hear of each event of these types after all followers. */
  on<Type extends MessageEvent['type']>(
    types: readonly Type[],
    tell: (event: Extract<MessageEvent, { type: Type }>) => void,
  ): void {
    this.#listeners.push({ types: new Set<string>(types), tell });
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
    for (const { types, tell } of this.#listeners)
      for (const event of recorded.events) if (types.has(event.type)) tell(event as never);
    return recorded;
  }

  /**
   * `record`, again until the database is back: what the network said must not be forgotten. Rejects only when stopped,
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

interface Waiting {
  readonly profileId: string;
  settled(message: KnownMessage, events: readonly RecordedEvent[]): void;
  moved(): void;
}

/** The message whose outcome somebody waits for. */
export interface Awaited {
  readonly messageId: string;
  readonly profileId: string;
  /** Milliseconds since 1970. */
  readonly deadline: number;
  readonly satisfies: (message: KnownMessage) => boolean;
  readonly onEvents: (events: readonly RecordedEvent[]) => void;
}

/** `moved`: the lane is owned elsewhere now. Undefined: the deadline has come, or nobody waits any more. */
type Outcome = KnownMessage | 'moved' | undefined;

/** Requests that wait for the outcome of a message. */
export class Waiters {
  readonly #clock: Clock;
  readonly #waiting = new Map<string, Set<Waiting>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Waits for the first state that satisfies. Begin before the command that may bring it about. */
  wait({ messageId, profileId, deadline, satisfies, onEvents }: Awaited): Wait {
    let stop = (): void => undefined;
    const outcome = new Promise<Outcome>((resolve) => {
      const those = this.#waiting.get(messageId) ?? new Set<Waiting>();
      const end = (told: Outcome): void => {
        cancel();
        those.delete(waiting);
        if (those.size === 0 && this.#waiting.get(messageId) === those) this.#waiting.delete(messageId);
        resolve(told);
      };
      const waiting: Waiting = {
        profileId,
        settled: (message, events) => {
          onEvents(events);
          if (satisfies(message)) end(message);
        },
        moved: () => end('moved'),
      };
      const cancel = this.#clock.at(deadline, () => end(undefined));
      stop = () => end(undefined);
      those.add(waiting);
      this.#waiting.set(messageId, those);
    });
    return { outcome, stop };
  }

  /** Passes what this process has written of a message to those who wait for the message. */
  readonly hear: Follower = ({ outcome, state, appended }, { messageId }) => {
    if (outcome !== 'guarded') this.tell(messageId, state, appended);
  };

  /** Tells everyone who waits for the message where it stands now. */
  tell(messageId: string, message: Message, events: readonly RecordedEvent[]): void {
    const those = this.#waiting.get(messageId);
    if (those === undefined || !isKnown(message)) return;
    for (const waiting of those) waiting.settled(message, events);
  }

  /** Sends those who wait for messages of a lane to where it is now. */
  moved(profileId: string): void {
    for (const those of this.#waiting.values())
      for (const waiting of those) if (waiting.profileId === profileId) waiting.moved();
  }
}

export interface Wait {
  readonly outcome: Promise<Outcome>;
  readonly stop: () => void;
}

/** Content and receiver of a message, from the journal; undefined when it is settled already or was erased. */
export async function parcelOf({ messageId }: OpenMessage, store: EventStore): Promise<Parcel | undefined> {
  const { state } = await store.load(messageStream, messageId);
  if (!isKnown(state) || (state.status !== 'accepted' && state.status !== 'unknown')) return undefined;
  const { facts, content } = state;
  return typeof content === 'object' ? { facts, content } : undefined;
}

/**
 * The events that a command makes of a message of which nothing was written since it was accepted, as they will be
 * written: a reply that comes first names the same events.
 */
export function outcomeOf(
  { message: accepted, event }: AcceptedMessage,
  command: MessageCommand,
  at: Date,
): readonly [KnownMessage, readonly RecordedEvent[]] {
  const decided = message.decide(command, accepted);
  const { audit: _, ...metadata } = event.metadata;
  const events = decided.map(({ type, data }, index) => ({
    ...event,
    version: event.version + index + 1,
    type,
    data: data as unknown as RecordedEvent['data'],
    metadata,
    at,
  }));
  return [decided.reduce(evolve, accepted) as KnownMessage, events];
}
