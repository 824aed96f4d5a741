import { finished } from 'node:stream';
import { mediaLimits, type MediaKind } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import { targetFault, TargetRefused, type TargetPolicy } from '@messaging-gateway/target-guard';
import { guardedPool, type Pool } from '@messaging-gateway/target-guard/pool';
import { intakeOf } from '../intake.ts';
import { fits } from '../kinds.ts';
import { mediaUnavailable, type OpenedMedia } from './opened-media.ts';

/** Milliseconds. */
export interface FetchTimes {
  /** Until the connection stands. */
  readonly connect: number;
  /** Until the answer begins, and between two parts of it. */
  readonly silence: number;
  /** Until all is there. */
  readonly whole: number;
}

export interface FetchOptions {
  readonly kind: MediaKind;
  readonly policy: TargetPolicy;
  readonly signal?: AbortSignal;
  readonly times?: FetchTimes;
}

const usualTimes: FetchTimes = { connect: 10_000, silence: 15_000, whole: 60_000 };

/**
 * Fetches a tenant's URL as a stream.
 *
 * @throws Refused MEDIA_UNAVAILABLE: not allowed, not there, not of the kind, too large; its stream does so too
 */
export async function fetchMedia(url: string, options: FetchOptions): Promise<OpenedMedia> {
  const { kind, policy, times = usualTimes } = options;
  const fault = targetFault(url, policy);
  if (fault !== undefined) throw mediaUnavailable(`the URL ${fault}`);
  const { origin, pathname, search } = new URL(url);
  const pool = guardedPool(origin, policy, {
    connectTimeoutMs: times.connect,
    headersTimeoutMs: times.silence,
    bodyTimeoutMs: times.silence,
    keepAliveMs: 1,
  });
  const late = AbortSignal.timeout(times.whole);
  const signal = options.signal === undefined ? late : AbortSignal.any([late, options.signal]);
  const close = (): void => void pool.destroy().catch(() => undefined);
  try {
    const { body, said } = await ask(pool, pathname + search, mediaLimits[kind], signal);
    const intake = await intakeOf(limited(body, mediaLimits[kind]), { limit: Infinity, mimetype: said });
    const { mimetype, stream } = intake;
    finished(stream, close);
    if (fits(mimetype, kind)) return { stream, mimetype };
    stream.destroy();
    throw mediaUnavailable(`they are ${mimetype}, which cannot be sent as ${kind}`);
  } catch (error) {
    close();
    throw asRefusal(error);
  }
}

interface Answer {
  readonly body: AsyncIterable<Uint8Array>;
  /** The type that the server says it is. */
  readonly said: string | undefined;
}

async function ask(pool: Pool, path: string, limit: number, signal: AbortSignal): Promise<Answer> {
  const headers = { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'messaging-gateway' };
  const { statusCode, headers: answered, body } = await pool.request({ method: 'GET', path, headers, signal });
  const refuse = (reason: string): never => {
    body.on('error', () => undefined).destroy();
    throw mediaUnavailable(reason);
  };
  if (statusCode !== 200) {
    refuse(
      statusCode >= 300 && statusCode < 400 ? `${statusCode}, and redirects are not followed` : `status ${statusCode}`,
    );
  }
  const encoding = answered['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') refuse('the answer is compressed');
  if (Number(answered['content-length'] ?? 0) > limit) refuse(tooLarge(limit));
  const said = answered['content-type'];
  return { body, said: typeof said === 'string' ? said : undefined };
}

/** Whatever ends the stream early is told as one refusal. */
async function* limited(body: AsyncIterable<Uint8Array>, limit: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  try {
    for await (const part of body) {
      size += part.length;
      if (size > limit) throw mediaUnavailable(tooLarge(limit));
      yield part;
    }
  } catch (error) {
    throw asRefusal(error);
  }
}

const tooLarge = (limit: number): string => `they are larger than ${limit / 1_048_576} MiB`;

function asRefusal(error: unknown): Refused {
  if (error instanceof Refused) return error;
  if (error instanceof TargetRefused) return mediaUnavailable('the URL leads to an address that is not allowed');
  const { code, name = 'Error' } = error as { code?: unknown; name?: string };
  const word = typeof code === 'string' ? code : name; // a DOMException has a number
  if (name === 'TimeoutError' || word.endsWith('_TIMEOUT')) return mediaUnavailable('it took too long');
  if (name === 'AbortError') return mediaUnavailable('it was given up');
  return mediaUnavailable(`the connection failed (${word})`);
}
