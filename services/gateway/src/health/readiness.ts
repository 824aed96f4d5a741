/** What must be there for requests to be answered. */
export interface ReadinessState {
  readonly database: boolean;
  readonly broker: boolean;
  readonly cache: boolean;
  readonly services: boolean;
  /** Engine kind of profiles that name none. */
  readonly engine?: string;
}

export type AskReadiness = () => ReadinessState | Promise<ReadinessState>;

const parts = ['database', 'broker', 'cache', 'services'] as const;
const patienceMs = 2000;

/** Whether requests can be answered now, and whether they ever could. */
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
    const ready = !this.draining && parts.every((part) => state?.[part] === true);
    this.#started ||= ready;
    const engine = state?.engine;
    return {
      status: ready ? 200 : 503,
      body: { status: ready ? 'ready' : 'unavailable', checks, ...(engine !== undefined && { engine }) },
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
