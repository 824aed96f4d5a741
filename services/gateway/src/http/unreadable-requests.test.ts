import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { testDatabase, type TestDatabase } from '@messaging-gateway/testing';
import { call, startTestGateway, type TestGateway } from '../testing/test-gateway.ts';

let database: TestDatabase;
let gateway: TestGateway;

beforeAll(async () => {
  database = await testDatabase();
  gateway = await startTestGateway({ databaseUrl: database.url });
});
afterAll(async () => {
  await gateway.stop();
  await database.drop();
});

/** All that the server says to this before it closes the connection. */
async function answerTo(bytes: string): Promise<{ status: number; body: unknown }> {
  const socket = connect(gateway.gateway.port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(bytes);
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), body: JSON.parse(body) };
}

const refusal = (code: string) => ({
  success: false,
  error: { code, message: expect.any(String), requestId: expect.any(String) },
});

it('what is no HTTP is refused in the envelope', async () => {
  expect(await answerTo('HELO mail.example.com\r\n\r\n')).toEqual({ status: 400, body: refusal('VALIDATION_ERROR') });
});

it('so is a path or a header that is too long, and the server goes on', async () => {
  const long = 'x'.repeat(20_000);
  const tooLarge = { status: 431, body: refusal('HEADERS_TOO_LARGE') };
  expect(await answerTo(`GET /api/v1/health?${long} HTTP/1.1\r\nHost: here\r\n\r\n`)).toEqual(tooLarge);
  expect(await answerTo(`GET /api/v1/health HTTP/1.1\r\nHost: here\r\nX-Long: ${long}\r\n\r\n`)).toEqual(tooLarge);
  expect((await call(gateway, 'GET', '/health')).status).toBe(200);
});
