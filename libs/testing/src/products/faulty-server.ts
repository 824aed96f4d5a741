import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it came. */
export interface AskedProduct {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface ProductAnswer {
  readonly status: number;
  /** JSON. */
  readonly body?: unknown;
}

/**
 * How a request is answered: rightly; with a status, untouched; never; with what is no JSON; `lost`: carried out, but the
 * connection ends before the answer; `slow`: only after `release()`.
 */
type ProductBehaviour = 'normal' | 'hanging' | 'nonsense' | 'lost' | 'slow' | 404 | 422 | 429 | 500 | 503;

/** Another product on loopback, which can go wrong. */
export interface FaultyServer {
  /** Without a slash at its end. */
  readonly url: string;
  readonly asked: readonly AskedProduct[];
  /** From now on; `normal` at first. */
  behave(behaviour: ProductBehaviour): void;
  /** For the next requests, one each; those after them as before. */
  next(...behaviours: readonly ProductBehaviour[]): void;
  /** Answers those who wait because it was `slow`. */
  release(): void;
  stop(): Promise<void>;
}

/** @param answer what is right */
export async function faultyServer(answer: (asked: AskedProduct) => ProductAnswer): Promise<FaultyServer> {
  const asked: AskedProduct[] = [];
  const next: ProductBehaviour[] = [];
  let usual: ProductBehaviour = 'normal';
  let released = Promise.withResolvers<void>();
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const { method = '', url: path = '', headers } = request;
    const one = { method, path, headers, body: Buffer.concat(pieces) };
    asked.push(one);
    const behaviour = next.shift() ?? usual;
    const json = ({ status, body }: ProductAnswer): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body ?? {}));
    };
    if (typeof behaviour === 'number') json({ status: behaviour, body: { message: `It says ${behaviour}.` } });
    else if (behaviour === 'nonsense') response.writeHead(200).end('<html>no');
    else if (behaviour !== 'hanging') {
      if (behaviour === 'slow') await released.promise;
      const answered = answer(one);
      if (behaviour === 'lost') response.destroy();
      else json(answered);
    }
  };
  const server = createServer((request, response) => void take(request, response).catch(() => response.destroy()));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    behave: (behaviour) => void (usual = behaviour),
    next: (...behaviours) => void next.push(...behaviours),
    release: () => {
      if (usual === 'slow') usual = 'normal';
      released.resolve();
      released = Promise.withResolvers();
    },
    stop: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
