import { probeType } from './names.ts';
import type { SteadyChannel } from './steady-channel.ts';

const intervalMs = 1_000;
/** Requests are answered sooner, as a rule, milliseconds. */
const patienceMs = 1_000;

/** Where a message is published. */
export interface Address {
  readonly exchange: string;
  readonly key: string;
}

/** A request that waits for its answer. */
export interface Watched {
  readonly to: Address;
  /** Monotonic, milliseconds. */
  readonly askedAt: number;
  /** The queue of the replica that has it in hand, which lives as long as that replica is connected. */
  holder: string | undefined;
  /** The replica that had it is gone. */
  orphaned(): void;
}

/**
 * Finds out once a second that the answers of slow requests will never come, because the replica is gone that had them
 * in hand: a probe is sent to the replica's own queue (or, when none has said that it has the request, where the request
 * went), and comes back, or falls, when nobody is there any more.
 */
export class AnswerWatch {
  readonly #channel: SteadyChannel;
  readonly #waiting: () => Iterable<Watched>;
  readonly #suspect: () => void;
  readonly #timer: NodeJS.Timeout;
  #probes = new Map<string, readonly Watched[]>();
  #count = 0;

  /** @param suspect the broker has let a probe fall: its queue is away */
  constructor(channel: SteadyChannel, waiting: () => Iterable<Watched>, suspect: () => void) {
    this.#channel = channel;
    this.#suspect = suspect;
    this.#waiting = waiting;
    this.#timer = setInterval(() => this.#look(), intervalMs).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** @returns whether what came back was a probe */
  returned(correlationId: string): boolean {
    const orphans = this.#probes.get(correlationId);
    for (const watched of orphans ?? []) watched.orphaned();
    return orphans !== undefined;
  }

  #look(): void {
    this.#probes = new Map();
    const before = performance.now() - patienceMs;
    const byTarget = new Map<string, { readonly to: Address; readonly watched: Watched[] }>();
    for (const watched of this.#waiting()) {
      if (watched.askedAt > before) continue;
      const to = watched.holder === undefined ? watched.to : { exchange: '', key: watched.holder };
      const target = `${to.exchange} ${to.key}`;
      const group = byTarget.get(target) ?? { to, watched: [] };
      group.watched.push(watched);
      byTarget.set(target, group);
    }
    for (const { to, watched } of byTarget.values()) this.#probe(to, watched);
  }

  #probe({ exchange, key }: Address, watched: readonly Watched[]): void {
    if (!this.#channel.isReady) return;
    const correlationId = `${probeType} ${(this.#count += 1)}`;
    this.#probes.set(correlationId, watched);
    try {
      const expiration = intervalMs;
      const options = { mandatory: true, type: probeType, correlationId, expiration };
      this.#channel.publish(exchange, key, Buffer.alloc(0), options, () => {
        this.#suspect();
        this.returned(correlationId);
      });
    } catch {
      // The broker is away; what waits hears of that.
    }
  }
}
