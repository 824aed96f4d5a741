import type { Clock } from '@messaging-gateway/runtime';
import { guardedPool } from '@messaging-gateway/target-guard/pool';
import { signatureHeaders } from '@messaging-gateway/webhook-signing';

/** A request to a URL that a tenant gave. */
export interface Call {
  readonly url: string;
  /** Default POST. */
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as `webhook-id`, the same however often it is asked. */
  readonly id: string;
  /** JSON */
  readonly body: string;
  /** Signs it. */
  readonly secret?: string | undefined;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Outcome of a call. `error`: a word such as HTTP_500, TIMEOUT or TOO_LARGE. */
export type Called =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly error: string; readonly statusCode?: number };

/** An answer has no more bytes. */
const longestAnswer = 1_048_576;
const keepAliveMs = 4000;

/** Asks URLs of tenants: signed, guarded, bounded in time and size. Never throws for what somebody outside does. */
export class Caller {
  readonly #allowPrivate: boolean;
  readonly #clock: Clock;

  constructor(allowPrivate: boolean, clock: Clock) {
    this.#allowPrivate = allowPrivate;
    this.#clock = clock;
  }

  async call(call: Call): Promise<Called> {
    const { url: text, timeoutMs } = call;
    const url = new URL(text);
    const policy = { allowPrivate: this.#allowPrivate };
    const pool = guardedPool(url.origin, policy, {
      connectTimeoutMs: timeoutMs,
      headersTimeoutMs: timeoutMs,
      bodyTimeoutMs: timeoutMs,
      keepAliveMs,
    });
    // Real time: sockets do not live in the time of a test clock.
    const late = AbortSignal.timeout(timeoutMs);
    try {
      const body = Buffer.from(call.body);
      const timestamp = Math.floor(this.#clock.now() / 1000);
      const response = await pool.request({
        method: call.method ?? 'POST',
        path: url.pathname + url.search,
        headers: {
          ...call.headers,
          'content-type': 'application/json',
          'user-agent': 'messaging-gateway-automation/1',
          ...signatureHeaders(
            { id: call.id, timestamp, body },
            call.secret === undefined ? undefined : { current: call.secret },
          ),
        },
        body,
        signal: AbortSignal.any([late, call.signal]),
      });
      const { statusCode } = response;
      if (statusCode < 200 || statusCode > 299) return { ok: false, error: `HTTP_${statusCode}`, statusCode };
      const answer = await textOf(response.body);
      return answer === undefined ? { ok: false, error: 'TOO_LARGE', statusCode } : { ok: true, text: answer };
    } catch (error) {
      // It will be asked again by whoever goes on.
      if (call.signal.aborted) throw error;
      return { ok: false, error: late.aborted ? 'TIMEOUT' : wordFor(error) };
    } finally {
      await pool.destroy();
    }
  }
}

/** @returns undefined: it is too long */
async function textOf(body: AsyncIterable<Buffer>): Promise<string | undefined> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of body) {
    length += piece.length;
    if (length > longestAnswer) return undefined;
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}

/** The code of the system or of the HTTP client, nothing of the text. */
function wordFor(error: unknown): string {
  const { code, cause, errors } = error as { code?: unknown; cause?: unknown; errors?: unknown[] };
  if (typeof code === 'string') return code.endsWith('TIMEOUT') ? 'TIMEOUT' : code.replace(/^UND_ERR_/, '');
  const inner = errors?.[0] ?? cause;
  return inner === undefined ? 'FAILED' : wordFor(inner);
}
