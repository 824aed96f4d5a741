import { afterEach, describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { startHealthServer, type HealthServer, type ProcessState } from './health-server.ts';

describe('the health server', () => {
  let server: HealthServer | undefined;
  afterEach(() => server?.close());

  const statuses = async (status: ProcessState['status']): Promise<Record<string, number>> => {
    const checks = { database: status === 'unavailable' ? 'down' : 'up' } as const;
    server = await startHealthServer({
      service: 'inbox',
      port: 0,
      host: '127.0.0.1',
      metrics: new Registry(),
      state: async () => ({ status, checks }),
    });
    const { port } = server;
    const ask = async (path: string) => [path, (await fetch(`http://127.0.0.1:${port}${path}`)).status] as const;
    return Object.fromEntries(await Promise.all(['/health', '/ready', '/serving', '/other'].map(ask)));
  };

  it.each([
    ['starting', { '/ready': 503, '/serving': 503 }],
    ['ready', { '/ready': 200, '/serving': 200 }],
    ['unavailable', { '/ready': 503, '/serving': 200 }],
    ['draining', { '/ready': 503, '/serving': 503 }],
  ] as const)('while it is %s', async (status, expected) => {
    expect(await statuses(status)).toEqual({ '/health': 200, ...expected, '/other': 404 });
  });
});
