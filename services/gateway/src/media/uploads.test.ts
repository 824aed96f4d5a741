import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RecordAction, mediaUrl, type BodyOf } from '@messaging-gateway/contracts';
import { localMediaStore } from '@messaging-gateway/media';
import { png } from '@messaging-gateway/media/testing';
import { Refused } from '@messaging-gateway/messaging';
import { eventually, testDatabase, type TestDatabase } from '@messaging-gateway/testing';
import { call, startTestGateway, type Called, type TestGateway } from '../testing/test-gateway.ts';

const MiB = 1024 * 1024;
const organizationId = randomUUID();
const permissions = ['message:read', 'message:send'] as const;
let database: TestDatabase;
let gateway: TestGateway;
let token: string;
let audited: BodyOf<typeof RecordAction>[] = [];
let auditIsAway = false;

beforeAll(async () => {
  database = await testDatabase();
  gateway = await startTestGateway({ databaseUrl: database.url });
  await gateway.bus.serve(RecordAction.name, async ({ body }) => {
    if (auditIsAway) throw new Refused('SERVICE_UNAVAILABLE', 'insights does not answer now.');
    audited.push(body as BodyOf<typeof RecordAction>);
    return { status: 200, body: {} };
  });
  ({ token } = gateway.identity.signIn(gateway.clock, { organizationId, permissions: [...permissions] }));
});
afterAll(async () => {
  await gateway.stop();
  await database.drop();
});

interface Part {
  readonly name?: string;
  readonly bytes?: Uint8Array | string;
  readonly filename?: string;
  readonly type?: string;
}

async function upload(
  parts: readonly Part[],
  headers: Record<string, string> = {},
  as = token,
  at = gateway,
): Promise<Called> {
  const form = new FormData();
  for (const { name = 'file', bytes = png(5_000), filename, type = 'image/png' } of parts) {
    if (filename === undefined) form.append(name, String(bytes));
    else form.append(name, new Blob([bytes], { type }), filename);
  }
  const sent = new Response(form);
  const raw = new Uint8Array(await sent.arrayBuffer());
  return call(at, 'POST', '/uploads/media', {
    token: as,
    raw,
    headers: { 'content-type': sent.headers.get('content-type') ?? '', ...headers },
  });
}

const fetched = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
  const answer = await fetch(gateway.url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, ...headers },
  });
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
};

describe('POST /uploads/media', () => {
  it('stores a file, whose URL gives it back', async () => {
    const bytes = png(300_000);
    const { status, body } = await upload([{ bytes, filename: '../../Grüße.png', type: 'text/html' }]);
    expect(status).toBe(201);
    const { id, key } = body;
    expect(body).toEqual({
      id,
      key: `${organizationId}/uploads/${id}`,
      url: mediaUrl(String(key)),
      size: 300_000,
      filename: 'Grüße.png',
      mimeType: 'image/png',
      type: 'image',
    });
    const got = await fetched(String(body['url']));
    expect([got.status, got.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(got.bytes.equals(bytes)).toBe(true);
    expect(got.headers.get('content-disposition')).toBe(
      `inline; filename="Gr??e.png"; filename*=UTF-8''Gr%C3%BC%C3%9Fe.png`,
    );
  });

  it('has a name without control characters', async () => {
    const name = 'filename="a\u0000b\u001f\u007f\u0085.png"';
    const head = `--x\r\nContent-Disposition: form-data; name="file"; ${name}\r\nContent-Type: image/png\r\n\r\n`;
    const raw = Buffer.concat([Buffer.from(head), png(500), Buffer.from('\r\n--x--\r\n')]);
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    const { body } = await call(gateway, 'POST', '/uploads/media', { token, raw, headers });
    expect(body['filename']).toBe('ab.png');
  });

  it('is in the audit before it is answered, and is not made without', async () => {
    audited = [];
    const { body } = await upload([{ filename: 'a.png' }], { 'user-agent': 'curl', 'x-request-id': 'this-upload' });
    const actor = { type: 'user', id: expect.any(String) };
    const entry = { action: 'media.upload', actor, resource: { type: 'media', id: body['id'] }, userAgent: 'curl' };
    expect(audited).toMatchObject([{ organizationId, requestId: 'this-upload', entry }]);
    auditIsAway = true;
    const refused = await upload([{ filename: 'a.png' }]);
    auditIsAway = false;
    expect([refused.status, refused.body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    await upload([{ filename: 'a.txt', bytes: '' }]);
    expect(audited).toHaveLength(1);
  });

  it('tells documents from what the network shows', async () => {
    const pdf = await upload([{ bytes: '%PDF-1.7 something', filename: 'a.pdf', type: 'application/pdf' }]);
    expect(pdf.body).toMatchObject({ mimeType: 'application/pdf', type: 'document' });
  });

  it.each([
    ['no file', [], 'body.file is required.'],
    ['a file under another name', [{ name: 'picture', filename: 'a.png' }], 'body.picture is not a known field.'],
    ['text in place of a file', [{ bytes: 'text' }], 'body.file must be a file.'],
    ['a further field', [{ filename: 'a.png' }, { name: 'caption', bytes: 'x' }], 'body.caption is not a known field.'],
    ['two files', [{ filename: 'a.png' }, { filename: 'b.png' }], 'body.file must be one file.'],
    ['an empty file', [{ filename: 'a.png', bytes: '' }], 'body.file must not be empty.'],
  ] as const)('refuses %s, naming the field', async (_, parts, message) => {
    const { status, body } = await upload(parts);
    expect([status, body.error.code, body.error.message]).toEqual([400, 'VALIDATION_ERROR', message]);
  });

  it('refuses what is no multipart, and what breaks off', async () => {
    const json = await call(gateway, 'POST', '/uploads/media', { token, body: { file: 'x' } });
    expect(json.status).toBe(415);
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    const cut = '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc';
    const broken = await call(gateway, 'POST', '/uploads/media', { token, headers, raw: cut });
    expect([broken.status, broken.body.error.message]).toEqual([400, 'body is not whole multipart/form-data.']);
    const nameless = { 'content-type': 'multipart/form-data; charset=utf-8' };
    expect((await call(gateway, 'POST', '/uploads/media', { token, headers: nameless, raw: cut })).status).toBe(400);
  });

  it('refuses what is too large for its kind, or for anything', async () => {
    const large = await upload([{ bytes: png(16 * MiB + 1), filename: 'a.png' }]);
    expect([large.status, large.body.error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    const socket = connect(gateway.gateway.port, '127.0.0.1');
    socket.write(
      'POST /api/v1/uploads/media HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=x\r\n' +
        `Authorization: Bearer ${token}\r\nContent-Length: ${200 * MiB}\r\n\r\n`,
    );
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1.1 413 /);
    socket.destroy();
  });

  it('needs message:send', async () => {
    const reader = gateway.identity.signIn(gateway.clock, { organizationId, permissions: ['message:read'] });
    const answer = await upload([{ filename: 'a.png' }], {}, reader.token);
    expect(answer.status).toBe(403);
  });

  it('is repeated for the same Idempotency-Key and file, and refused for another file', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const first = await upload([{ filename: 'a.png' }], headers);
    const again = await upload([{ filename: 'a.png' }], headers);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    const other = await upload([{ filename: 'a.png', bytes: png(6_000) }], headers);
    expect([other.status, other.body.error.code]).toEqual([422, 'IDEMPOTENCY_MISMATCH']);
    expect((await fetched(String(first.body['url']))).status).toBe(200);
  });

  it('that is answered from an earlier one, or refused, leaves nothing in the store', async () => {
    const puts: string[] = [];
    const { media } = gateway;
    const noting = {
      ...media,
      put: (...given: Parameters<typeof media.put>) => (puts.push(given[0]), media.put(...given)),
    };
    const own = await startTestGateway({ databaseUrl: database.url, options: { media: noting }, beside: gateway });
    const headers = { 'idempotency-key': randomUUID() };
    for (const bytes of [png(5_000), png(5_000), png(6_000)])
      await upload([{ filename: 'a.png', bytes }], headers, token, own);
    await upload([{ filename: 'a.png' }, { name: 'further', bytes: 'x' }], {}, token, own);
    const kept = await Promise.all(puts.map(async (key) => (await media.facts(key)) !== undefined));
    expect(kept).toEqual([true, false, false, false]);
    await own.stop();
  });
});

describe('an upload that is broken off by the client', () => {
  it('leaves nothing behind', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'media-'));
    const own = await startTestGateway({ databaseUrl: database.url, options: { media: localMediaStore(folder) } });
    const person = own.identity.signIn(own.clock, { organizationId, permissions: ['message:send'] });
    const socket = connect(own.gateway.port, '127.0.0.1');
    socket.write(
      'POST /api/v1/uploads/media HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=x\r\n' +
        `Authorization: Bearer ${person.token}\r\nContent-Length: 10000000\r\n\r\n` +
        '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n',
    );
    socket.write(Buffer.alloc(300_000, 1));
    const drafts = (): string[] => (existsSync(join(folder, '.parts')) ? readdirSync(join(folder, '.parts')) : []);
    await eventually(async () => (drafts().length > 0 ? true : undefined));
    socket.destroy();
    await eventually(async () => (drafts().length === 0 ? true : undefined));
    expect(readdirSync(folder)).toEqual(['.parts']);
    await own.stop();
    rmSync(folder, { recursive: true });
  });
});

describe('in demo mode', () => {
  it('nothing is uploaded', async () => {
    const demo = await startTestGateway({ databaseUrl: database.url, environment: { DEMO_MODE: 'true' } });
    expect((await call(demo, 'POST', '/uploads/media', { raw: 'x' })).status).toBe(403);
    await demo.stop();
  });
});
