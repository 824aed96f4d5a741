import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

const first = 12_000;
/** Ports of one process: those that run at the same time have numbers that are near each other. */
const share = 100;
const shares = 200;

let next = randomInt(share);

/**
 * A loopback port that nobody uses, from this process's share of those outside of the range that systems give to
 * outgoing connections: until it is used nobody else gets it by chance, a server that is down for a while finds it free
 * again, and a client that keeps trying can't connect to itself.
 */
export async function freePort(): Promise<number> {
  const begin = first + (process.pid % shares) * share;
  for (let tries = 0; tries < share; tries += 1) {
    const port = begin + (next++ % share);
    if (await isFree(port)) return port;
  }
  throw new Error(`No free port between ${begin} and ${begin + share - 1}.`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.on('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
