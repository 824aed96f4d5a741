/** The parts that are there, and those that are not. */
export interface ReadinessState {
  readonly database: boolean;
  readonly broker: boolean;
  readonly cache: boolean;
  readonly services: boolean;
  /** Which owners of operations answer, where each may be away on its own. */
  readonly owners?: Readonly<Record<string, 'up' | 'down'>>;
  /** Engine kind of profiles that name none. */
  readonly engine?: string;
  /** Treatment of audio that is to be a voice note, in words. */
  readonly voiceNotes?: string;
}

export type AskReadiness = () => ReadinessState | Promise<ReadinessState>;

const parts = ['database', 'broker', 'cache', 'services'] as const;
/** Throttles and caches have a substitute, if a slower one: nobody is sent away for want of the cache. */
const needed = parts.filter((part) => part !== 'cache');
const patienceMs = 2000;

/**
 * Whether requests are to come here. Not before everything that is needed was there once, and not while the gateway
 * stops. What goes away in between is shared by all gateways, or nearly so: a balancer that takes all of them out
 * answers with nothing at all, while a gateway says what is the matter and when to come again.
 */
export class Readiness {
  #started = false;
  /** Set when the gateway begins to stop. */
  draining = false;
  readonly #ask: AskReadiness;

  constructor(ask: AskReadiness) {
    this.#ask = ask;
  }

  /** The answer of the readiness probe. A check that does not come back in time counts as down. */
  async report(): Promise<{ status: 200 | 503; body: Record<string, unknown> }> {
    const state = await this.#state();
    const checks = Object.fromEntries(parts.map((part) => [part, state?.[part] === true ? 'up' : 'down']));
    this.#started ||= needed.every((part) => state?.[part] === true);
    const ready = this.#started && !this.draining;
    const { engine, owners, voiceNotes } = state ?? {};
    return {
      status: ready ? 200 : 503,
      body: {
        status: ready ? 'ready' : 'unavailable',
        checks,
        ...(owners !== undefined && { services: owners }),
        ...(engine !== undefined && { engine }),
        ...(voiceNotes !== undefined && { voiceNotes }),
      },
    };
  }

  async hasStarted(): Promise<boolean> {
    if (!this.#started) await this.report();
    return this.#started;
  }

  async #state(): Promise<ReadinessState | undefined> {
    const impatient = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => impatient.resolve(undefined), patienceMs);
    try {
      return await Promise.race([this.#ask(), impatient.promise]);
    } catch {
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  }
}
