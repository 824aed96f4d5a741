import CircuitBreaker from 'opossum';

const restMs = 5_000;
/** Breakers of those who were not asked for so long are forgotten, milliseconds. */
const rememberedMs = 60_000;

type Work = () => Promise<unknown>;

interface Known {
  readonly breaker: CircuitBreaker<[Work]>;
  usedAt: number;
}

export interface BreakersOptions {
  /** Whether what the work threw tells nothing of who was asked: it refused what it was asked, or the call was given up. */
  readonly isNoFault: (error: unknown) => boolean;
  /** Thrown at once while a breaker is open. @param restSeconds it is asked again after so long */
  readonly whenOpen: (restSeconds: number, key: string) => Error;
  /** Told when a breaker has opened, and when it has closed again. */
  readonly onChange?: (key: string, isOpen: boolean) => void;
}

/**
 * A circuit breaker for each key: a server of an organization, an owner of operations. Who fails again and again (half of ten calls
 * and more within 30 s) is not asked for some seconds, then once; if that goes well it is asked as before.
 */
export class Breakers {
  readonly #options: BreakersOptions;
  readonly #known = new Map<string, Known>();

  constructor(options: BreakersOptions) {
    this.#options = options;
  }

  /** @throws what the work throws; at once while the breaker is open */
  async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    try {
      return (await this.#of(key).fire(work)) as Result;
    } catch (error) {
      if (!CircuitBreaker.isOurError(error as Error)) throw error;
      throw this.#options.whenOpen(restMs / 1000, key);
    }
  }

  /** Those that were asked lately, and whether they are refused now. */
  get states(): readonly { readonly key: string; readonly isOpen: boolean }[] {
    return [...this.#known].map(([key, { breaker }]) => ({ key, isOpen: breaker.opened }));
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
      errorFilter: this.#options.isNoFault,
    });
    const { onChange } = this.#options;
    if (onChange !== undefined) {
      breaker.on('open', () => onChange(key, true));
      breaker.on('close', () => onChange(key, false));
    }
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
