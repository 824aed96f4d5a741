import type { RecordedEvent } from '@messaging-gateway/event-sourcing';
import type { Clock } from '@messaging-gateway/runtime';
import { isKnown, type KnownMessage, type Message } from '../message/message.ts';

interface Waiting {
  readonly profileId: string;
  settled(message: KnownMessage, events: readonly RecordedEvent[]): void;
  moved(): void;
}

/** What is waited for. */
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
