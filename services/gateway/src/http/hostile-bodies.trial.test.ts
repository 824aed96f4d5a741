import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { operations, permissions, type Operation } from '@messaging-gateway/contracts';
import { testDatabase, type TestDatabase } from '@messaging-gateway/testing';
import { call, startTestGateway, type Called, type TestGateway } from '../testing/test-gateway.ts';

let database: TestDatabase;
let gateway: TestGateway;
let token: string;

beforeAll(async () => {
  database = await testDatabase();
  gateway = await startTestGateway({ databaseUrl: database.url });
  ({ token } = gateway.identity.signIn(gateway.clock, { permissions: [...permissions] }));
});
afterAll(async () => {
  await gateway.stop();
  await database.drop();
});

const id = '0198c0de-0000-7000-8000-000000000001';
const writes = operations.filter(({ method, upload }) => method !== 'GET' && upload === undefined);
const send = (operation: Operation, raw: string, headers = {}): Promise<Called> =>
  call(gateway, operation.method, operation.path.replaceAll(/:\w+/g, id), {
    ...(operation.access !== 'public' && { token }),
    raw,
    headers: { 'content-type': 'application/json', ...headers },
  });

type Schema = Readonly<{ type?: string; properties?: Readonly<Record<string, Schema>> }>;
const fieldsOf = ({ body }: Operation, type: string): string[] => {
  const { properties = {} } = (body ?? {}) as Schema;
  return Object.keys(properties).filter((name) => properties[name]?.type === type);
};

/** As many values as a body may hold, and as many bytes as a public one may have. */
const manyOf = ({ access }: Operation): number => (access === 'public' ? 8_000 : 95_000);
const zeros = (count: number): string => `[${'0,'.repeat(count - 1)}0]`;
const unknownFields = (count: number): string =>
  `{${Array.from({ length: count }, (_, index) => `"f${index}":0`).join(',')}}`;

/** Work of this thread, which is the gateway's and the caller's: what else the machine does is not in it. */
const mostWorkMicros = 2_000_000;

describe('the largest bodies that a route takes', () => {
  it('are refused in few words, whatever they are filled with, and hold nobody up', async () => {
    const long: string[] = [];
    const laborious: string[] = [];
    for (const operation of writes) {
      const many = manyOf(operation);
      const example = operation.example as object | undefined;
      const bodies = [
        unknownFields(operation.access === 'public' ? 4_000 : 60_000),
        ...fieldsOf(operation, 'array').map((name) => `{"${name}":${zeros(many)}}`),
        ...fieldsOf(operation, 'string').map((name) => JSON.stringify({ ...example, [name]: 't '.repeat(30_000) })),
        `{"${'x'.repeat(60_000)}":0}`,
      ];
      for (const raw of bodies) {
        const before = process.threadCpuUsage();
        const { status, text } = await send(operation, raw);
        const { user, system } = process.threadCpuUsage(before);
        if (user + system > mostWorkMicros)
          laborious.push(`${operation.name}: ${user + system} µs for ${raw.slice(0, 80)}`);
        if (text.length > 65_536)
          long.push(`${operation.name} ${status}: ${text.length} bytes for ${raw.slice(0, 80)}`);
      }
    }
    expect(long).toEqual([]);
    expect(laborious).toEqual([]);
  });

  it('are 400 when they are nested 20,000 levels, on every route', async () => {
    const lists = '['.repeat(20_000) + ']'.repeat(20_000);
    const objects = '{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000);
    const others: string[] = [];
    for (const operation of writes) {
      for (const raw of [lists, `{"metadata":${lists}}`, objects]) {
        const { status, body } = await send(operation, raw, { 'idempotency-key': operation.name });
        if (status !== 400) others.push(`${operation.name} ${status} ${body.error.code}`);
      }
    }
    expect(others).toEqual([]);
  });

  it('may have 64 KiB where no credential is asked for', async () => {
    const open = (length: number) => call(gateway, 'POST', '/open-things', { body: { name: 'x'.repeat(length) } });
    expect((await open(60_000)).status).not.toBe(413);
    expect((await open(65_536)).status).toBe(413);
  });

  it('may hold 100,000 values', async () => {
    const things = (count: number) =>
      call(gateway, 'POST', '/pictures', { token, body: { pictures: Array.from({ length: count }, () => 0) } });
    expect((await things(50_000)).status).toBe(400);
    expect((await things(100_001)).body.error).toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
  });

  it('are JSON in UTF-8', async () => {
    const raw = new Uint8Array(Buffer.from('{"name":"one"}', 'utf16le'));
    const headers = { 'content-type': 'application/json; charset=utf-16' };
    expect((await call(gateway, 'POST', '/things', { token, raw, headers })).status).toBe(415);
  });
});

it('a body that is announced larger than the route takes is refused before it comes', async () => {
  const answered = async (path: string, type: string): Promise<string> => {
    const socket = connect(gateway.gateway.port, '127.0.0.1');
    const head = [`POST /api/v1${path} HTTP/1.1`, 'Host: here', `Authorization: Bearer ${token}`];
    socket.write([...head, `Content-Type: ${type}`, 'Content-Length: 500000000', '', '{'].join('\r\n'));
    let text = '';
    socket.on('data', (chunk: Buffer) => void (text += chunk.toString()));
    await once(socket, 'data');
    socket.write('x'.repeat(100_000)); // what it goes on sending does not reset what it is told
    await once(socket, 'close');
    return text;
  };
  const answers = await Promise.all([
    answered('/things', 'application/json'),
    answered('/contacts/import/csv', 'text/csv'),
    answered('/uploads/media', 'multipart/form-data; boundary=x'),
  ]);
  for (const answer of answers) {
    expect(answer).toMatch(/^HTTP\/1.1 413 /);
    expect(answer).toMatch(/^connection: close/im);
    expect(answer).toMatch(/"code":"PAYLOAD_TOO_LARGE".*\}$/);
  }
});
