import { Refused } from '@messaging-gateway/messaging';
import CircuitBreaker from 'opossum';
import { ProviderFailed } from './provider-failed.ts';
import { providerFailed } from './refusals.ts';

const restMs = 5_000;
/** Breakers of providers that were not asked for so long are forgotten, milliseconds. */
const rememberedMs = 60_000;

type Work = () => Promise<unknown>;

interface Known {
  readonly breaker: CircuitBreaker<[Work]>;
  usedAt: number;
}

/**
 * A circuit breaker for each provider of each organization: one that fails again and again is not asked for some
 * seconds. A provider that refuses what it was asked is at work, but for 429; and a call that was given up tells nothing.
 */
export class Breakers {
  readonly #known = new Map<string, Known>();

  /** @throws Refused AI_PROVIDER_FAILED at once while the breaker is open, and what the work throws */
  async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    try {
      return (await this.#of(key).fire(work)) as Result;
    } catch (error) {
      if (!CircuitBreaker.isOurError(error as Error)) throw error;
      throw providerFailed('has failed again and again, and is asked again in some seconds', restMs / 1000);
    }
  }

  stop(): void {
    for (const { breaker } of this.#known.values()) breaker.shutdown();
    this.#known.clear();
  }

  #of(key: string): CircuitBreaker<[Work]> {
    const usedAt = performance.now();
    const known = this.#known.get(key);
    if (known !== undefined) {
      known.usedAt = usedAt;
      return known.breaker;
    }
    this.#forget(usedAt - rememberedMs);
    const breaker = new CircuitBreaker<[Work]>((work: Work) => work(), {
      timeout: false,
      resetTimeout: restMs,
      rollingCountTimeout: 30_000,
      rollingCountBuckets: 3,
      rollingPercentilesEnabled: false,
      volumeThreshold: 10,
      errorThresholdPercentage: 50,
      errorFilter: isNoFault,
    });
    this.#known.set(key, { breaker, usedAt });
    return breaker;
  }

  #forget(usedBefore: number): void {
    for (const [key, { breaker, usedAt }] of this.#known) {
      if (usedAt >= usedBefore) continue;
      breaker.shutdown();
      this.#known.delete(key);
    }
  }
}

const isNoFault = (error: unknown): boolean =>
  error instanceof ProviderFailed
    ? error.providerStatus < 500 && error.providerStatus !== 429
    : error instanceof Refused && error.code !== 'AI_PROVIDER_FAILED';
