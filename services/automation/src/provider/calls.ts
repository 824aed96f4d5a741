import { setTimeout as wait } from 'node:timers/promises';
import { Refused } from '@messaging-gateway/messaging';
import { Breakers, reasonOf, type Logger } from '@messaging-gateway/runtime';
import type OpenAI from 'openai';
import { Nonsense } from './chatting.ts';
import { Places } from './places.ts';
import { ProviderFailed } from './provider-failed.ts';
import type { Provider } from './providers.ts';
import { givenUp, providerFailed, providerHangs } from './refusals.ts';
import { Transport } from './transport.ts';

/** A call that comes in pieces may go on for so long, milliseconds; every other one for `AI_TIMEOUT_MS`. */
const longestCallMs = 5 * 60_000;
const longestPauseMs = 5_000;
const usualPauseMs = 250;

export interface CallsOptions {
  readonly allowPrivate: boolean;
  /** For the whole of a call with its second try; of one that comes in pieces between two of them. */
  readonly timeoutMs: number;
  readonly log: Logger;
}

/** A provider that refuses what it was asked is at work, but for 429; and a call that was given up tells nothing. */
const isNoFault = (error: unknown): boolean =>
  error instanceof ProviderFailed
    ? error.providerStatus < 500 && error.providerStatus !== 429
    : error instanceof Refused && error.code !== 'AI_PROVIDER_FAILED';

const whenOpen = (restSeconds: number): Refused =>
  providerFailed('has failed again and again, and is asked again in some seconds', restSeconds);

/** One request to a provider. `heard` says that a part of the answer has come. */
export type Request<Result> = (client: OpenAI, signal: AbortSignal, heard: () => void) => Promise<Result>;

interface Whose {
  readonly organizationId: string;
  /** Ends the call. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Asks providers: each organization has so many places, and a breaker for each of its providers, so that a slow or
 * broken one costs nobody else anything. A 429 or 5xx is asked once more.
 */
export class Calls {
  readonly #options: CallsOptions;
  readonly #transport: Transport;
  readonly #breakers = new Breakers({ isNoFault, whenOpen });
  readonly #places = new Places();
  readonly #stopping = new AbortController();

  constructor(options: CallsOptions) {
    this.#options = options;
    this.#transport = new Transport(options);
  }

  /** @throws Refused AI_PROVIDER_FAILED; SERVICE_UNAVAILABLE when too many of the organization wait */
  async ask<Result>(provider: Provider, { organizationId, signal }: Whose, request: Request<Result>): Promise<Result> {
    const client = await this.#clientOf(provider);
    const ended = new AbortController();
    const limit = new Limit(this.#options.timeoutMs, () => ended.abort());
    const signals = AbortSignal.any([ended.signal, this.#stopping.signal, ...(signal === undefined ? [] : [signal])]);
    try {
      return await this.#places.run(organizationId, signals, () =>
        this.#breakers.run(`${organizationId} ${provider.baseUrl}`, () =>
          this.#twice(client, request, { signals, limit }),
        ),
      );
    } finally {
      limit.clear();
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#breakers.stop();
    await this.#transport.close();
  }

  async #twice<Result>(client: OpenAI, request: Request<Result>, { signals, limit }: Bounds): Promise<Result> {
    let hasBegun = false;
    const heard = (): void => {
      hasBegun = true;
      limit.renew();
    };
    const once = (): Promise<Result> => request(client, signals, heard);
    try {
      return await once().catch(async (error: unknown) => {
        if (hasBegun || signals.aborted || !mayBeAskedAgain(error)) throw error;
        await wait(pauseOf(error), undefined, { signal: signals });
        return once();
      });
    } catch (error) {
      if (signals.aborted && !limit.isOver) throw givenUp();
      throw this.#refusalOf(error, limit);
    }
  }

  /** Refusal by an error of the provider: a status, or a kind of fault, and none of its words, which could hold a secret. */
  #refusalOf(error: unknown, limit: Limit): Refused {
    if (error instanceof Refused) return error;
    if (limit.isOver) return providerHangs();
    const status = statusOf(error);
    this.#options.log.debug('an AI provider failed', { status, reason: reasonOf(error) });
    if (status !== undefined) return new ProviderFailed(status);
    return providerFailed(
      error instanceof Nonsense ? 'answered nothing that can be used' : 'broke off or is not there',
    );
  }

  /** Loaded when it is first needed: few installations use it, and it is large. */
  async #clientOf({ baseUrl, apiKey, isGuarded }: Provider): Promise<OpenAI> {
    const { OpenAI: Client } = await import('openai');
    return new Client({
      baseURL: baseUrl,
      apiKey: apiKey ?? 'none',
      organization: null,
      project: null,
      webhookSecret: null,
      maxRetries: 0,
      timeout: longestCallMs,
      logLevel: 'off',
      fetch: this.#transport.fetch(isGuarded),
      ...(apiKey === undefined && { defaultHeaders: { Authorization: null } }),
    });
  }
}

interface Bounds {
  readonly signals: AbortSignal;
  readonly limit: Limit;
}

const statusOf = (error: unknown): number | undefined => {
  const { status } = (error ?? {}) as { status?: unknown };
  return typeof status === 'number' ? status : undefined;
};

const mayBeAskedAgain = (error: unknown): boolean => {
  const status = statusOf(error);
  return status === 429 || (status !== undefined && status >= 500);
};

function pauseOf(error: unknown): number {
  const { headers } = error as { headers?: Headers };
  const seconds = Number(headers?.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? Math.min(seconds * 1000, longestPauseMs) : usualPauseMs;
}

/** Real time: sockets do not live in the time of a test clock. */
class Limit {
  readonly #timeoutMs: number;
  readonly #onOver: () => void;
  readonly #whole: NodeJS.Timeout;
  #timer: NodeJS.Timeout;
  isOver = false;

  constructor(timeoutMs: number, onOver: () => void) {
    this.#timeoutMs = timeoutMs;
    this.#onOver = onOver;
    this.#whole = setTimeout(() => this.#end(), longestCallMs);
    this.#timer = setTimeout(() => this.#end(), timeoutMs);
  }

  renew(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#end(), this.#timeoutMs);
  }

  clear(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#whole);
  }

  #end(): void {
    this.isOver = true;
    this.#onOver();
  }
}
