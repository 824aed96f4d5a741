import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { guardedPool, type GuardedPoolOptions } from './pool.ts';

const options: GuardedPoolOptions = {
  connectTimeoutMs: 60_000,
  headersTimeoutMs: 60_000,
  bodyTimeoutMs: 60_000,
  keepAliveMs: 1000,
};
const inside = async () => [{ address: '127.0.0.1', family: 4 }];
let receiver: Server;
let port: number;
let received = 0;

beforeAll(async () => {
  receiver = createServer((request, response) => {
    received++;
    if (request.url === '/moved') response.writeHead(302, { location: `http://127.0.0.1:${port}/` });
    response.end('ok');
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  port = (receiver.address() as AddressInfo).port;
});
afterAll(() => void receiver.close());

async function get(
  origin: string,
  allowPrivate: boolean,
  more: Partial<GuardedPoolOptions> = {},
  path = '/',
): Promise<number | string> {
  const pool = guardedPool(origin, { allowPrivate }, { ...options, ...more });
  try {
    const { statusCode, body } = await pool.request({ path, method: 'GET' });
    await body.dump();
    return statusCode;
  } catch (error) {
    return (error as { code?: string }).code ?? (error as Error).message;
  } finally {
    await pool.destroy();
  }
}

describe('a connection through the guard', () => {
  it('reaches a private target only when that is allowed', async () => {
    expect(await get(`http://127.0.0.1:${port}`, true)).toBe(200);
    const before = received;
    expect(await get(`http://127.0.0.1:${port}`, false)).toBe('TARGET_REFUSED');
    expect(await get(`http://[::ffff:127.0.0.1]:${port}`, false)).toBe('TARGET_REFUSED');
    expect(await get(`http://localhost:${port}`, false)).toBe('TARGET_REFUSED');
    expect(received).toBe(before);
  });

  it('is refused when a name that was public leads inside by now', async () => {
    const before = received;
    expect(await get(`http://rebound.example:${port}`, false, { resolve: inside })).toBe('TARGET_REFUSED');
    expect(await get(`http://rebound.example:${port}`, true, { resolve: inside })).toBe(200);
    expect(received).toBe(before + 1);
  });

  it('is refused when one of several addresses leads inside', async () => {
    const resolve = async () => [
      { address: '93.184.216.34', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ];
    expect(await get(`http://two-faced.example:${port}`, false, { resolve })).toBe('TARGET_REFUSED');
  });

  it('is refused when the socket ends up inside although the name did not lead there', async () => {
    const before = received;
    const redirected = get(`http://public.example:${port}`, false, {
      connect: (_target, callback) => {
        const socket = connect(port, '127.0.0.1', () => callback(null, socket));
      },
    });
    expect(await redirected).toBe('TARGET_REFUSED');
    expect(received).toBe(before);
  });

  it('never reaches a metadata service', async () => {
    expect(await get('http://169.254.169.254', true)).toBe('TARGET_REFUSED');
    const resolve = async () => [{ address: '169.254.169.254', family: 4 }];
    expect(await get('http://sly.example', true, { resolve })).toBe('TARGET_REFUSED');
  });

  it('tells a name without addresses', async () => {
    expect(await get('http://empty.example', true, { resolve: async () => [] })).toBe('ENOTFOUND');
  });

  it('follows no redirects', async () => expect(await get(`http://127.0.0.1:${port}`, true, {}, '/moved')).toBe(302));
});
