import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { systemClock } from '@messaging-gateway/runtime';
import { Caller } from './calling.ts';

let server: Server;
let port = 0;
let asked = 0;
let answer: (response: ServerResponse) => void = (response) => response.end('{}');

beforeAll(async () => {
  server = createServer((_, response) => {
    asked += 1;
    answer(response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  asked = 0;
});

const call = (host: string, allowPrivate: boolean, timeoutMs = 60_000) =>
  new Caller(allowPrivate, systemClock).call({
    url: `http://${host}:${port}/`,
    id: 'id',
    body: '{}',
    timeoutMs,
    signal: new AbortController().signal,
  });
/** More than any answer may have, and no end. */
const flood = (response: ServerResponse): void => {
  // Whoever asked has gone away by then.
  response.on('error', () => undefined);
  const more = (): void => {
    if (response.write('x'.repeat(65_536))) setImmediate(more);
    else response.once('drain', more);
  };
  more();
};

it.each<[string, (response: ServerResponse) => void, object]>([
  [
    'leads elsewhere',
    (response) => response.writeHead(302, { location: `http://127.0.0.1:${port}/` }).end(),
    { error: 'HTTP_302' },
  ],
  ['has no end', flood, { error: 'TOO_LARGE' }],
  ['breaks off', (response) => response.destroy(), { error: 'SOCKET' }],
  [
    'breaks off in the middle',
    (response) => response.writeHead(200, { 'content-length': 9 }).write('x', () => response.destroy()),
    { ok: false },
  ],
])('an answer that %s is none, and nobody is asked twice', async (_, given, expected) => {
  answer = given;
  expect(await call('127.0.0.1', true)).toMatchObject({ ok: false, ...expected });
  expect(asked).toBe(1);
});

it('that never comes, or never ends, is not waited for', async () => {
  answer = () => undefined;
  expect(await call('127.0.0.1', true, 200)).toEqual({ ok: false, error: 'TIMEOUT' });
  answer = (response) => void response.writeHead(200).write('{');
  expect(await call('127.0.0.1', true, 200)).toEqual({ ok: false, error: 'TIMEOUT' });
});

it.each(['127.0.0.1', 'localhost'])(
  'a URL that leads inside when it is asked, whatever it led to when it was kept, is not asked: %s',
  async (host) => {
    expect(await call(host, false)).toMatchObject({ ok: false, error: expect.stringContaining('REFUSED') });
    expect(asked).toBe(0);
  },
);
