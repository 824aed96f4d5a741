import type { EventMark } from '@messaging-gateway/contracts';

/** Ids remembered, at most twice as many. */
const remembered = 10_000;
const usualWaitMs = 1_000;

/** How replicas of a service tell each other what they have handled. */
export interface HandledElsewhere {
  /** Tells the other replicas. Costs next to nothing; may be lost. */
  tell(id: string): void;
  /** Calls back with what another replica has handled. */
  onHeard(listener: (id: string) => void): void;
}

/** Nobody waits for events older than that: marks of the gateway live for two seconds. Milliseconds. */
const toldForMs = 5_000;

/**
 * Knows which events this service has handled of late, so that a read, and a write, can wait for those that its caller has
 * caused (reads and writes follow writes).
 */
export class HandledEvents {
  readonly #kinds: ReadonlySet<string>;
  readonly #waiting = new Map<string, Set<() => void>>();
  #recent = new Set<string>();
  #older = new Set<string>();

  readonly #elsewhere: HandledElsewhere | undefined;
  readonly #longestWaitMs: number;

  /**
   * @param kinds that the service reacts to; others need no waiting
   * @param elsewhere the other replicas of the service, where there can be some
   * @param longestWaitMs how long a request waits at most, milliseconds
   */
  constructor(kinds: Iterable<string>, elsewhere?: HandledElsewhere, longestWaitMs = usualWaitMs) {
    this.#kinds = new Set(kinds);
    this.#elsewhere = elsewhere;
    this.#longestWaitMs = longestWaitMs;
    elsewhere?.onHeard((id) => this.#note(id));
  }

  /** @param ageMs milliseconds since the event was raised */
  add(id: string, ageMs = 0): void {
    this.#note(id);
    if (ageMs < toldForMs) this.#elsewhere?.tell(id);
  }

  #note(id: string): void {
    if (this.#recent.size >= remembered) {
      this.#older = this.#recent;
      this.#recent = new Set();
    }
    this.#recent.add(id);
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    this.#waiting.delete(id);
    for (const resolve of waiting) resolve();
  }

  /** Resolves when all were handled, at the latest when nobody may wait any longer. */
  async settled(marks: readonly EventMark[]): Promise<void> {
    const open = marks.filter(({ id, type }) => this.#kinds.has(type) && !this.#recent.has(id) && !this.#older.has(id));
    if (open.length > 0) await Promise.all(open.map(({ id }) => this.#wait(id)));
  }

  #wait(id: string): Promise<void> {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(id) ?? new Set();
      this.#waiting.set(id, waiting);
      const done = (): void => {
        clearTimeout(timer);
        waiting.delete(done);
        if (waiting.size === 0 && this.#waiting.get(id) === waiting) this.#waiting.delete(id);
        resolve();
      };
      const timer = setTimeout(done, this.#longestWaitMs);
      waiting.add(done);
    });
  }
}
