import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A webhook endpoint that knows the messages which are waited for, and looks at nothing else: it costs little. */
export interface Arrivals {
  readonly url: string;
  /** Resolves when the message has arrived. @throws Error after a minute */
  arrival(networkId: string): Promise<void>;
  stop(): void;
}

const patienceMs = 60_000;

export async function openArrivals(): Promise<Arrivals> {
  const awaited = new Map<string, () => void>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      response.writeHead(200).end();
      const networkId = /"networkMessageId":"(\w+)"/.exec(Buffer.concat(chunks).toString())?.[1] ?? '';
      awaited.get(networkId)?.();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    arrival: (networkId) =>
      new Promise((resolve, reject) => {
        const late = setTimeout(() => reject(new Error('A message did not reach the webhook.')), patienceMs);
        awaited.set(networkId, () => {
          clearTimeout(late);
          awaited.delete(networkId);
          resolve();
        });
      }),
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
