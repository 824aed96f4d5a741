import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { freePort } from '@messaging-gateway/postgres';

/** One request as it arrived. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly raw: Buffer;
  readonly body: {
    id: string;
    event: string;
    timestamp: string;
    profileId: string | null;
    data: Record<string, unknown>;
  };
}

/** Answers a request: a status, or whatever it does with the response. */
export type Behaviour = number | ((response: ServerResponse, received: Received) => void);

/** A customer's endpoint on loopback, as well or badly behaved as a test wants. */
export interface Receiver {
  readonly url: string;
  readonly received: readonly Received[];
  /** How it answers from now on; 200 at first. */
  behave(behaviour: Behaviour): void;
  /** Resolves once so many requests have arrived. */
  count(atLeast: number): Promise<readonly Received[]>;
  /** Refuses connections from now on. */
  stop(): Promise<void>;
  /** Listens again where it did before. */
  restart(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const listeners = new Set<() => void>();
  let behaviour: Behaviour = 200;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const raw = Buffer.concat(chunks);
      const one = {
        path: request.url ?? '',
        headers: request.headers,
        raw,
        body: JSON.parse(raw.toString()) as Received['body'],
      };
      received.push(one);
      for (const listener of listeners) listener();
      if (typeof behaviour === 'number') response.writeHead(behaviour).end();
      else behaviour(response, one);
    });
  });
  // Nobody else gets it while the receiver is down.
  const port = await freePort();
  const listen = (): Promise<void> =>
    new Promise((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  await listen();
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    behave: (next) => void (behaviour = next),
    count: (atLeast) =>
      until(
        listeners,
        () => received.length >= atLeast,
        () => `${received.length} of ${atLeast} deliveries arrived`,
      ).then(() => received),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
    restart: listen,
  };
}

const patienceMs = 120_000;

function until(listeners: Set<() => void>, holds: () => boolean, otherwise: () => string): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = (): void => {
      if (!holds()) return;
      clearTimeout(timer);
      listeners.delete(look);
      resolve();
    };
    const timer = setTimeout(() => {
      listeners.delete(look);
      reject(new Error(otherwise()));
    }, patienceMs);
    listeners.add(look);
    look();
  });
}
