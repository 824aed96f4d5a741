import { guardedPool, type Pool } from '@messaging-gateway/target-guard/pool';
import type { WebhooksSettings } from '../config.ts';

interface Receiver {
  readonly origin: string;
  readonly pool: Pool;
  usedAt: number;
}

const idleMs = 60_000;
/** Below the five seconds after which many servers close: one that closes as we write costs an attempt. */
const keepAliveMs = 4000;

/** Connections to receivers: a pool for each webhook, so that two webhooks at one origin do not wait for each other. */
export class Receivers {
  readonly #settings: WebhooksSettings;
  readonly #byWebhook = new Map<string, Receiver>();
  #timer: NodeJS.Timeout | undefined;

  constructor(settings: WebhooksSettings) {
    this.#settings = settings;
  }

  of(webhookId: string, origin: string): Pool {
    const known = this.#byWebhook.get(webhookId);
    if (known?.origin === origin) {
      known.usedAt = performance.now();
      return known.pool;
    }
    // What is under way to the old origin comes to its end.
    if (known !== undefined) known.pool.close().catch(() => undefined);
    const pool = this.#open(origin);
    this.#byWebhook.set(webhookId, { origin, pool, usedAt: performance.now() });
    return pool;
  }

  #open(origin: string): Pool {
    const { timeoutMs, allowPrivateTargets } = this.#settings;
    return guardedPool(
      origin,
      { allowPrivate: allowPrivateTargets },
      {
        connectTimeoutMs: timeoutMs,
        headersTimeoutMs: timeoutMs,
        bodyTimeoutMs: timeoutMs,
        keepAliveMs,
      },
    );
  }

  start(): void {
    this.#timer = setInterval(() => this.#closeIdle(), idleMs).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all([...this.#byWebhook.values()].map(({ pool }) => pool.destroy()));
    this.#byWebhook.clear();
  }

  #closeIdle(): void {
    for (const [id, { pool, usedAt }] of this.#byWebhook) {
      if (performance.now() - usedAt < idleMs + this.#settings.timeoutMs) continue;
      this.#byWebhook.delete(id);
      pool.close().catch(() => undefined);
    }
  }
}
