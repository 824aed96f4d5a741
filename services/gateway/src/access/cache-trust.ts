import { randomUUID } from 'node:crypto';
import { ReadCredentialGeneration, cacheTrustMs, type AnswerOf } from '@messaging-gateway/contracts';
import type { OperationBus } from '@messaging-gateway/messaging';
import type { Clock } from '@messaging-gateway/runtime';
import { every, type Job } from '@messaging-gateway/service';

const askEveryMs = 1000;

export interface CacheTrustOptions {
  readonly bus: OperationBus;
  readonly clock: Clock;
}

/**
 * Whether cached credentials can be gone by. Identity overrules them with marks in the cache; where it cannot write one
 * (it has lost Redis, this gateway has not) it takes a new generation and waits until no gateway trusts the old one.
 * So a generation holds here for `cacheTrustMs` after the question that brought it, on the clock that never jumps.
 *
 * @see docs/decisions/0281-revocations-without-a-mark.md
 */
export class CacheTrust {
  readonly #options: CacheTrustOptions;
  #generation: string | undefined;
  #until = -Infinity;
  readonly asking: Job = every(askEveryMs, 'trust in cached credentials', () => this.#ask(), { first: 'awaited' });

  constructor(options: CacheTrustOptions) {
    this.#options = options;
  }

  /** Undefined: every credential must be asked for. */
  generation(): string | undefined {
    return performance.now() < this.#until ? this.#generation : undefined;
  }

  async #ask(): Promise<void> {
    const { bus, clock } = this.#options;
    const begun = performance.now();
    const id = randomUUID();
    const deadline = clock.now() + (ReadCredentialGeneration.timeoutMs ?? askEveryMs);
    const request = { requestId: id, resourceId: id, params: {}, query: {}, body: {}, deadline };
    try {
      const { body } = await bus.request(ReadCredentialGeneration.name, request);
      this.#generation = (body as AnswerOf<typeof ReadCredentialGeneration>).generation;
      this.#until = begun + cacheTrustMs;
    } catch {
      // Whoever needs identity sees that it is away; until it answers again nothing cached is trusted for long.
    }
  }
}
