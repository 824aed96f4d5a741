import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A delivery as it arrived, its signature checked against the raw bytes. */
export interface ReceivedDelivery {
  readonly id: string;
  readonly event: string;
  readonly profileId: string;
  readonly data: Record<string, unknown>;
  /** When it happened, ISO 8601. */
  readonly timestamp: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly signatureValid: boolean;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** A webhook endpoint as a customer would write it; whoever only looks finds a text. */
export interface WebhookReceiver {
  readonly url: string;
  readonly deliveries: readonly ReceivedDelivery[];
  /** Sets the status that it answers from now on; 200 at first. */
  answerWith(status: number): void;
  /** Resolves with the first delivery that fits, also one that came before. */
  waitFor(fits: (delivery: ReceivedDelivery) => boolean, timeoutMs?: number): Promise<ReceivedDelivery>;
  stop(): Promise<void>;
}

export async function startWebhookReceiver(secret: string): Promise<WebhookReceiver> {
  const deliveries: ReceivedDelivery[] = [];
  const listeners = new Set<() => void>();
  let status = 200;
  const server = createServer((request, response) => {
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'text/plain' }).end('Events are posted here.');
      return;
    }
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const raw = Buffer.concat(chunks);
      if (status < 300) {
        const body = JSON.parse(raw.toString()) as Pick<
          ReceivedDelivery,
          'id' | 'event' | 'profileId' | 'data' | 'timestamp'
        >;
        const signatureValid = verify(secret, raw, request.headers['x-service-signature']);
        deliveries.push({ ...body, headers: request.headers, signatureValid, at: Date.now() });
        for (const listener of listeners) listener();
      }
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const waitFor: WebhookReceiver['waitFor'] = (fits, timeoutMs = 170_000) =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = deliveries.find(fits);
        if (found === undefined) return;
        clearTimeout(timer);
        listeners.delete(look);
        resolve(found);
      };
      const timer = setTimeout(() => {
        listeners.delete(look);
        reject(
          new Error(
            `No such delivery in ${timeoutMs} ms; there were: ${deliveries.map(({ event }) => event).join(', ')}`,
          ),
        );
      }, timeoutMs);
      listeners.add(look);
      look();
    });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    deliveries,
    answerWith: (next) => void (status = next),
    waitFor,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Checks a signature as receivers are told to: over the raw bytes, compared in constant time. */
function verify(secret: string, raw: Buffer, header: string | string[] | undefined): boolean {
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(raw).digest('hex')}`);
  const given = Buffer.from(String(header));
  return given.length === expected.length && timingSafeEqual(given, expected);
}
