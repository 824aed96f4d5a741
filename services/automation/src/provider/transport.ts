import { Readable } from 'node:stream';
import { guardedAgent, type Agent } from '@messaging-gateway/target-guard/pool';

type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** Bytes of a whole answer; one that is longer is cut off. */
const mostBytes = 4 * 1024 * 1024;

/** Connections to providers: those of tenants through the target guard, that of the installation anywhere. */
export class Transport {
  readonly #guarded: Agent;
  readonly #open: Agent;

  /** @param timeoutMs until an answer begins, and between two parts of it */
  constructor({ allowPrivate, timeoutMs }: { readonly allowPrivate: boolean; readonly timeoutMs: number }) {
    const times = {
      connectTimeoutMs: Math.min(timeoutMs, 10_000),
      headersTimeoutMs: timeoutMs,
      bodyTimeoutMs: timeoutMs,
      keepAliveMs: 4_000,
    };
    this.#guarded = guardedAgent({ allowPrivate }, times, mostBytes);
    this.#open = guardedAgent({ allowPrivate: true }, times, mostBytes);
  }

  /** As `fetch`, but it follows no redirect and unpacks nothing. */
  fetch(isGuarded: boolean): Fetch {
    const agent = isGuarded ? this.#guarded : this.#open;
    return async (input, init) => {
      const { origin, pathname, search } = new URL(input instanceof Request ? input.url : input);
      const { statusCode, headers, body } = await agent.request({
        origin,
        path: `${pathname}${search}`,
        method: 'POST',
        headers: Object.fromEntries(new Headers(init?.headers)),
        body: init?.body as string,
        signal: init?.signal ?? null,
      });
      const given = Object.entries(headers).flatMap(([name, value]) =>
        [value ?? []].flat().map((one): [string, string] => [name, one]),
      );
      const isEmpty = [204, 205, 304].includes(statusCode);
      if (isEmpty) await body.dump();
      return new Response(isEmpty ? null : (Readable.toWeb(body) as ReadableStream), {
        status: statusCode < 200 ? 502 : statusCode,
        headers: given,
      });
    };
  }

  async close(): Promise<void> {
    await Promise.all([this.#guarded.destroy(), this.#open.destroy()]);
  }
}
