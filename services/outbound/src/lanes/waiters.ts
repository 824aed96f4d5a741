import type { RecordedEvent } from '@messaging-gateway/event-sourcing';
import type { Clock } from '@messaging-gateway/runtime';
import { isKnown, type KnownMessage, type Message } from '../message/message-state.ts';

type Settled = (message: KnownMessage, events: readonly RecordedEvent[]) => boolean;

/** Requests that wait for the outcome of a message. */
export class Waiters {
  readonly #clock: Clock;
  readonly #waiting = new Map<string, Set<Settled>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Waits for the first state that satisfies. Begin before the command that may bring it about.
   *
   * @param deadline milliseconds since 1970
   * @returns the state, or undefined at the deadline; `stop` ends the wait without an answer
   */
  wait(
    messageId: string,
    deadline: number,
    satisfies: (message: KnownMessage) => boolean,
    onEvents: (events: readonly RecordedEvent[]) => void,
  ): Wait {
    let stop = (): void => undefined;
    const outcome = new Promise<KnownMessage | undefined>((resolve) => {
      const waiting = this.#waiting.get(messageId) ?? new Set<Settled>();
      const end = (message: KnownMessage | undefined): void => {
        cancel();
        waiting.delete(settled);
        if (waiting.size === 0 && this.#waiting.get(messageId) === waiting) this.#waiting.delete(messageId);
        resolve(message);
      };
      const settled: Settled = (message, events) => {
        onEvents(events);
        if (!satisfies(message)) return false;
        end(message);
        return true;
      };
      const cancel = this.#clock.at(deadline, () => end(undefined));
      stop = () => end(undefined);
      waiting.add(settled);
      this.#waiting.set(messageId, waiting);
    });
    return { outcome, stop };
  }

  /** Tells everyone who waits for the message where it stands now. */
  tell(messageId: string, message: Message, events: readonly RecordedEvent[]): void {
    const waiting = this.#waiting.get(messageId);
    if (waiting === undefined || !isKnown(message)) return;
    for (const settled of waiting) settled(message, events);
  }
}

export interface Wait {
  readonly outcome: Promise<KnownMessage | undefined>;
  readonly stop: () => void;
}
