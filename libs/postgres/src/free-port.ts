import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * A loopback port that nobody uses, outside of the range that systems give to outgoing connections: until it is used
 * nobody else gets it by chance, a server that is down for a while finds it free again, and a client that keeps trying
 * can't connect to itself.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 200; tries += 1) {
    const port = randomInt(12_000, 32_000);
    if (await isFree(port)) return port;
  }
  throw new Error('No free port between 12000 and 32000.');
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.on('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
