import type { JournalReader } from '@messaging-gateway/event-sourcing';
import type { Clock } from '@messaging-gateway/runtime';
import type { Running } from '@messaging-gateway/service';

const ofProfile = 'profile-';

/**
 * Lets requests wait for news of a profile's connection. What this process appends wakes them at once; what another
 * replica appends is seen when the journal looks for itself, within a second.
 */
export class ConnectionNews implements Running {
  readonly #journal: Pick<JournalReader, 'onNews'>;
  readonly #clock: Clock;
  readonly #waiting = new Map<string, Set<() => void>>();
  #stopListening: (() => void) | undefined;
  #isStopped = false;

  constructor(journal: Pick<JournalReader, 'onNews'>, clock: Clock) {
    this.#journal = journal;
    this.#clock = clock;
  }

  async start(): Promise<void> {
    this.#isStopped = false;
  }

  /** Everyone who waits is answered. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#tellAll();
  }

  /**
   * Takes looks until one satisfies or the time is over.
   *
   * @param until milliseconds since 1970
   * @returns what the last look found
   */
  async waitFor<T>(
    profileId: string,
    until: number,
    look: () => Promise<T>,
    satisfies: (found: T) => boolean,
  ): Promise<T> {
    let news = Promise.withResolvers<void>();
    const wake = (): void => news.resolve();
    const leave = this.#enter(profileId, wake);
    const cancel = this.#clock.at(until, wake);
    try {
      for (;;) {
        const found = await look();
        if (satisfies(found) || this.#isStopped || this.#clock.now() >= until) return found;
        await news.promise;
        news = Promise.withResolvers<void>();
      }
    } finally {
      cancel();
      leave();
    }
  }

  /** Wakes those who wait for news of a profile. */
  tell(profileId: string): void {
    for (const wake of this.#waiting.get(profileId) ?? []) wake();
  }

  /** The journal is listened to only while somebody waits. */
  #enter(profileId: string, wake: () => void): () => void {
    const waiting = this.#waiting.get(profileId) ?? new Set();
    this.#waiting.set(profileId, waiting.add(wake));
    this.#stopListening ??= this.#journal.onNews(
      () => this.#tellAll(),
      (entries) => {
        for (const { stream } of entries) if (stream.startsWith(ofProfile)) this.tell(stream.slice(ofProfile.length));
        return true;
      },
    );
    return () => {
      waiting.delete(wake);
      if (waiting.size === 0 && this.#waiting.get(profileId) === waiting) this.#waiting.delete(profileId);
      if (this.#waiting.size > 0) return;
      this.#stopListening?.();
      this.#stopListening = undefined;
    };
  }

  #tellAll(): void {
    for (const profileId of this.#waiting.keys()) this.tell(profileId);
  }
}
