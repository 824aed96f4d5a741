import { targetFault, type TargetPolicy } from '@messaging-gateway/target-guard';
import { guardedPool, type ResponseBody } from '@messaging-gateway/target-guard/pool';

export interface Fetching {
  readonly policy: TargetPolicy;
  /** Ends everything, also in the middle. */
  readonly signal: AbortSignal;
  /** How long nothing may come, milliseconds. */
  readonly silenceMs: number;
  /** Media types that are taken, for example `text/html`. */
  readonly accept: RegExp;
}

export interface Fetched {
  /** Where it was found in the end. */
  readonly url: URL;
  readonly contentType: string;
  readonly body: ResponseBody;
}

const mostRedirects = 3;
const headers = {
  accept: '*/*',
  'accept-encoding': 'identity',
  'user-agent': 'messaging-gateway (link preview)',
};

/**
 * Asks for what a tenant's text names, and hands over what comes. Each step of a redirect passes the target guard like
 * the first one.
 *
 * @returns what `read` makes of it; undefined when there is nothing of that kind
 * @throws when it cannot be had
 */
export async function fetched<Result>(
  address: string | URL,
  { policy, signal, silenceMs, accept }: Fetching,
  read: (found: Fetched) => Promise<Result>,
): Promise<Result | undefined> {
  let url = new URL(address);
  for (let redirects = 0; redirects <= mostRedirects; redirects += 1) {
    if (targetFault(url.href, policy) !== undefined) return undefined;
    const pool = guardedPool(url.origin, policy, {
      connectTimeoutMs: silenceMs,
      headersTimeoutMs: silenceMs,
      bodyTimeoutMs: silenceMs,
      keepAliveMs: 1,
    });
    try {
      const answer = await pool.request({ method: 'GET', path: url.pathname + url.search, headers, signal });
      const { statusCode, headers: said, body } = answer;
      body.on('error', () => undefined);
      const location = oneOf(said['location']);
      if (statusCode >= 300 && statusCode < 400 && location !== '') {
        url = new URL(location, url);
        continue;
      }
      const contentType = oneOf(said['content-type']);
      const isPlain = (said['content-encoding'] ?? 'identity') === 'identity';
      return statusCode === 200 && isPlain && accept.test(contentType)
        ? await read({ url, contentType, body })
        : undefined;
    } finally {
      // Whatever of the answer has not been read is not wanted.
      await pool.destroy().catch(() => undefined);
    }
  }
  return undefined;
}

const oneOf = (header: string | string[] | undefined): string => (Array.isArray(header) ? header[0] : header) ?? '';
