import type { Clock } from '@messaging-gateway/runtime';
import { guardedPool, type Pool, type ResponseBody } from '@messaging-gateway/target-guard/pool';
import { isRecorded, type Spans } from '@messaging-gateway/tracing';
import type { WebhooksSettings } from '../config.ts';
import type { ActiveWebhook } from '../webhook/webhook.ts';
import { signatureHeaders, type Secrets } from '@messaging-gateway/webhook-signing';

export interface OutgoingEvent {
  /** Sent as `webhook-id`, the same at every attempt. */
  readonly id: string;
  readonly body: string;
  /** Grows per owner and profile; lets a receiver put events in order. */
  readonly sourceSequence?: string;
  /** W3C trace context of what led to it. */
  readonly traceparent?: string | undefined;
  /** Counts from 1. */
  readonly attempt?: number;
}

/** The outcome of one attempt. */
export interface Attempt {
  /**
   * answered: with another status than 2xx. broken: the connection ended without an answer. unreachable: there was no
   * connection, or no answer in time.
   */
  readonly outcome: 'delivered' | 'answered' | 'broken' | 'unreachable';
  readonly statusCode: number | undefined;
  /** A word such as HTTP_500, TIMEOUT or ECONNREFUSED. */
  readonly error: string | undefined;
  readonly durationMs: number;
}

/** A response body is read so far, so that the connection can be used again; a longer or slower one costs the connection. */
const bodyBytes = 4096;
const bodyMs = 1000;

/** Sends events to receivers: signed, guarded, each attempt bounded in time. Never throws for what a receiver does. */
export class Sender {
  readonly #settings: WebhooksSettings;
  readonly #clock: Clock;
  readonly #spans: Spans;
  readonly #connections: Connections;
  readonly #stopping = new AbortController();

  constructor(settings: WebhooksSettings, clock: Clock, spans: Spans) {
    this.#settings = settings;
    this.#clock = clock;
    this.#spans = spans;
    this.#connections = new Connections(settings);
  }

  /** @param timeoutMs for the whole attempt; default WEBHOOK_TIMEOUT_MS */
  async send(
    webhookId: string,
    webhook: ActiveWebhook,
    event: OutgoingEvent,
    timeoutMs = this.#settings.timeoutMs,
  ): Promise<Attempt> {
    const span = this.#spans.start('POST webhook', { kind: 'client', parent: event.traceparent });
    const traceparent = span?.traceparent ?? event.traceparent;
    const attempt = await this.#attempt(webhookId, webhook, { ...event, traceparent }, timeoutMs);
    span?.note({
      'http.request.method': 'POST',
      'http.response.status_code': attempt.statusCode,
      'server.address': new URL(webhook.url).hostname,
      'messaging.message.id': event.id,
      'webhook.id': webhookId,
      attempt: event.attempt,
    });
    span?.end(attempt.error);
    return attempt;
  }

  async #attempt(webhookId: string, webhook: ActiveWebhook, event: OutgoingEvent, timeoutMs: number): Promise<Attempt> {
    const begun = performance.now();
    const limit = new AbortController();
    const abort = (): void => limit.abort();
    // Real time: sockets do not live in the time of a test clock.
    const timer = setTimeout(abort, timeoutMs);
    this.#stopping.signal.addEventListener('abort', abort, { once: true });
    try {
      const statusCode = await this.#request(webhookId, webhook, event, limit.signal);
      const delivered = statusCode >= 200 && statusCode < 300;
      const error = delivered ? undefined : `HTTP_${statusCode}`;
      return { outcome: delivered ? 'delivered' : 'answered', statusCode, error, durationMs: since(begun) };
    } catch (error) {
      const reason = limit.signal.aborted ? 'TIMEOUT' : reasonOf(error as Failure);
      const outcome = brokenOff.has(reason) ? 'broken' : 'unreachable';
      return { outcome, statusCode: undefined, error: reason, durationMs: since(begun) };
    } finally {
      clearTimeout(timer);
      this.#stopping.signal.removeEventListener('abort', abort);
    }
  }

  async #request(
    webhookId: string,
    webhook: ActiveWebhook,
    event: OutgoingEvent,
    signal: AbortSignal,
  ): Promise<number> {
    const url = new URL(webhook.url);
    const body = Buffer.from(event.body);
    const timestamp = Math.floor(this.#clock.now() / 1000);
    const response = await this.#connections.of(webhookId, url.origin).request({
      method: 'POST',
      path: url.pathname + url.search,
      headers: {
        ...webhook.headers,
        'content-type': 'application/json',
        'user-agent': 'messaging-gateway-webhooks/1',
        ...(event.sourceSequence !== undefined && { 'x-service-sequence': event.sourceSequence }),
        ...traceHeader(event),
        ...signatureHeaders({ id: event.id, timestamp, body }, secretsOf(webhook, this.#clock.now())),
      },
      body,
      signal,
    });
    letGo(response.body);
    return response.statusCode;
  }

  get stopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  start(): void {
    this.#connections.start();
  }

  /** Ends attempts that are under way. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#connections.stop();
  }
}

/** The receiver can go on with a trace that is recorded (W3C Trace Context). */
const traceHeader = ({ traceparent }: OutgoingEvent): Record<string, string> =>
  traceparent !== undefined && isRecorded(traceparent) ? { traceparent } : {};

/** The status is the answer; nobody waits for the body. */
function letGo(body: ResponseBody): void {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), bodyMs).unref();
  const ended = (): void => clearTimeout(timer);
  body.dump({ limit: bodyBytes, signal: limit.signal }).then(ended, ended);
}

/** Codes of a passing fault, or of a connection that the receiver closed just when it was used again. */
const brokenOff = new Set(['SOCKET', 'ECONNRESET', 'EPIPE']);

const since = (begun: number): number => Math.round(performance.now() - begun);

function secretsOf({ secret, previous }: ActiveWebhook, now: number): Secrets | undefined {
  if (secret === undefined) return undefined;
  return {
    current: secret,
    previous: previous !== undefined && Date.parse(previous.until) > now ? previous.secret : undefined,
  };
}

interface Failure {
  readonly code?: unknown;
  readonly cause?: Failure;
  /** Of several addresses, each failed. */
  readonly errors?: readonly Failure[];
}

/** A word for the list of deliveries: the code of the system or of the HTTP client, nothing of the receiver's text. */
function reasonOf({ code, cause, errors }: Failure): string {
  if (typeof code === 'string') return code.endsWith('TIMEOUT') ? 'TIMEOUT' : code.replace(/^UND_ERR_/, '');
  const inner = errors?.[0] ?? cause;
  return inner === undefined ? 'FAILED' : reasonOf(inner);
}

interface OpenPool {
  readonly origin: string;
  readonly pool: Pool;
  usedAt: number;
}

/** Pools that are not used for so long are closed, milliseconds. */
const idleMs = 60_000;
/** Below the five seconds after which many servers close: one that closes as we write costs an attempt. */
const keepAliveMs = 4000;

/** Connections to receivers: a pool for each webhook, so that two webhooks at one origin do not wait for each other. */
class Connections {
  readonly #settings: WebhooksSettings;
  readonly #byWebhook = new Map<string, OpenPool>();
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
