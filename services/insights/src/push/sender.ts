import { createHash } from 'node:crypto';
import { guardedAgent, type Agent } from '@messaging-gateway/target-guard/pool';
import type { PushPayload } from './payload.ts';
import type { VapidPair } from './vapid.ts';

/** Where a browser is pushed to. */
export interface Browser {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
}

/**
 * What a push service has said. `gone`: there is no such subscription any more. `refused`: it takes this one never. `failed`: not
 * now, or nothing was said.
 */
export type Pushed =
  | { readonly outcome: 'taken' | 'gone' | 'refused' }
  | { readonly outcome: 'failed'; readonly retryAfterMs?: number };

export interface SenderOptions {
  readonly pair: VapidPair;
  readonly subject: string;
  readonly allowPrivate: boolean;
}

/** A push and its answer, milliseconds. */
const timeoutMs = 10_000;
/** A push service keeps it for a browser that is away for so long, seconds. */
const keptSeconds = 86_400;
const mostBytes = 65_536;

/** Asks push services, through the guard. */
export class PushSender {
  readonly #options: SenderOptions;
  readonly #agent: Agent;

  constructor(options: SenderOptions) {
    this.#options = options;
    const times = { connectTimeoutMs: timeoutMs, headersTimeoutMs: timeoutMs, bodyTimeoutMs: timeoutMs };
    this.#agent = guardedAgent({ allowPrivate: options.allowPrivate }, { ...times, keepAliveMs: 30_000 }, mostBytes);
  }

  get publicKey(): string {
    return this.#options.pair.publicKey;
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }

  /** Never throws for what somebody outside does. @param now milliseconds since 1970 */
  async push(browser: Browser, payload: PushPayload, now: number): Promise<Pushed> {
    try {
      const request = await this.#request(browser, payload);
      const response = await this.#agent.request({ ...request, signal: AbortSignal.timeout(timeoutMs) });
      await response.body.dump();
      return pushedOf(response.statusCode, response.headers['retry-after'], now);
    } catch (error) {
      return { outcome: isTargetRefused(error) ? 'refused' : 'failed' };
    }
  }

  async #request({ endpoint, p256dh, auth }: Browser, payload: PushPayload) {
    // Loaded where somebody is pushed to.
    const { default: webPush } = await import('web-push');
    const { subject, pair } = this.#options;
    const { method, headers, body } = webPush.generateRequestDetails(
      { endpoint, keys: { p256dh, auth } },
      JSON.stringify(payload),
      {
        vapidDetails: { subject, ...pair },
        TTL: keptSeconds,
        urgency: payload.type === 'message' ? 'high' : 'normal',
        topic: topicOf(payload.tag),
      },
    );
    const { origin, pathname, search } = new URL(endpoint);
    return { origin, path: pathname + search, method, headers, body };
  }
}

/** By which a push service tells what is the later of the same: 32 characters of base64url, which say nothing of what it is. */
const topicOf = (tag: string): string => createHash('sha256').update(tag).digest('base64url').slice(0, 32);

/** @param retryAfter as the header has it: seconds, or a date */
function pushedOf(status: number, retryAfter: string | string[] | undefined, now: number): Pushed {
  if (status >= 200 && status <= 299) return { outcome: 'taken' };
  if (status === 404 || status === 410) return { outcome: 'gone' };
  if (status >= 400 && status <= 499 && status !== 408 && status !== 429) return { outcome: 'refused' };
  const retryAfterMs = waitOf([retryAfter].flat()[0], now);
  return { outcome: 'failed', ...(retryAfterMs !== undefined && { retryAfterMs }) };
}

function waitOf(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

const isTargetRefused = (error: unknown): boolean =>
  (error as { code?: unknown }).code === 'TARGET_REFUSED' ||
  (error instanceof Error && error.cause !== undefined && isTargetRefused(error.cause));
