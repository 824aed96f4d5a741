import { isUnavailable, type Clock, type Logger } from '@messaging-gateway/runtime';
import type { Running } from '@messaging-gateway/service';
import type { LookedAt, Looks } from './looks.ts';

const lookMs = 1000;
/** Attended to at once, at most. */
const most = 100;

export interface WatchParts<Row extends LookedAt> {
  readonly clock: Clock;
  readonly log: Logger;
  /** What is watched, for the log. */
  readonly what: string;
  /** Who knows when each is due, for all replicas. */
  readonly looks: Pick<Looks<Row>, 'claim' | 'wake'>;
  /** Does what is to be done for one of them. */
  readonly attend: (row: Row) => Promise<void>;
}

/** Looks every second for what is due, and attends to it. */
export class Watch<Row extends LookedAt> implements Running {
  readonly #parts: WatchParts<Row>;
  #cancel = (): void => undefined;
  #looking: Promise<void> | undefined;
  #again = false;
  readonly #attending = new Set<Promise<void>>();
  #isStopped = true;
  /** When this process began to look, milliseconds since 1970. */
  startedAt = 0;

  constructor(parts: WatchParts<Row>) {
    this.#parts = parts;
  }

  async start(): Promise<void> {
    this.#isStopped = false;
    this.startedAt = this.#parts.clock.now();
    this.look();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancel();
    await this.#looking;
    await Promise.all(this.#attending);
  }

  /** Looks now, or again when the present look is over. */
  look(): void {
    if (this.#isStopped) return;
    this.#again = true;
    if (this.#looking !== undefined) return;
    this.#cancel();
    this.#looking = this.#lookAround().finally(() => {
      this.#looking = undefined;
      if (this.#again) return this.look();
      const { clock } = this.#parts;
      if (!this.#isStopped) this.#cancel = clock.at(clock.now() + lookMs, () => this.look());
    });
  }

  /** The profile is connected: what waits for that is looked at now. */
  async connected(profileId: string): Promise<void> {
    const { clock, looks } = this.#parts;
    if (await looks.wake(profileId, clock.now())) this.look();
  }

  async #lookAround(): Promise<void> {
    const { clock, log, looks, what } = this.#parts;
    this.#again = false;
    const room = most - this.#attending.size;
    if (room === 0) return;
    try {
      for (const row of await looks.claim(clock.now(), room)) this.#begin(row);
    } catch (error) {
      log.warn(`Looking for ${what} failed`, { reason: String(error) });
    }
  }

  /** One that takes long holds up no other. */
  #begin(row: Row): void {
    const wasFull = (): boolean => this.#attending.size === most;
    const work = this.#attend(row).finally(() => {
      const makesRoom = wasFull();
      this.#attending.delete(work);
      if (makesRoom) this.look();
    });
    this.#attending.add(work);
  }

  async #attend(row: Row): Promise<void> {
    const { attend, log, what } = this.#parts;
    if (this.#isStopped) return;
    try {
      await attend(row);
    } catch (error) {
      // It stays claimed for a moment and is taken up again.
      const say = isUnavailable(error) ? 'warn' : 'error';
      log[say](`Attending to ${what} failed`, { reason: String(error) });
    }
  }
}
