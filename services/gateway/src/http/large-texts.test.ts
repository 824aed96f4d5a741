import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { OperationReply, OperationRequest } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import { testDatabase } from '@messaging-gateway/testing';
import { call, startTestGateway, type TestGateway } from '../testing/test-gateway.ts';

let gateway: TestGateway;
let database: Awaited<ReturnType<typeof testDatabase>>;
let token: string;
/** The owner of contacts; it joins what it is given. */
let owner: (request: OperationRequest) => Promise<OperationReply>;
let pieces: string[];

beforeAll(async () => {
  database = await testDatabase();
  gateway = await startTestGateway({ databaseUrl: database.url });
  ({ token } = gateway.identity.signIn(gateway.clock, { permissions: ['contact:import', 'contact:export'] }));
  for (const name of ['ImportContactsCsv', 'ExportContactsCsv']) await gateway.own(name, (request) => owner(request));
});
afterAll(async () => {
  await gateway.stop();
  await database.drop();
});
beforeEach(() => {
  pieces = [];
  owner = async ({ body, piece }) => {
    pieces.push((body as { csv: string }).csv);
    const created = Number(piece?.state ?? 0) + 1;
    if (piece?.isLast === false) return { status: 200, state: created };
    return { status: 200, body: { created, updated: 0, failed: 0, errors: [] } };
  };
});

const path = '/contacts/import/csv';
const asCsv = { 'content-type': 'text/csv; charset=utf-8' };
/** 700,000 characters of two units: no cut may go through one. */
const long = `x${'🙂'.repeat(350_000)}`;

const sendForm = (fields: Readonly<Record<string, string | Blob>>) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return call(gateway, 'POST', path, { token, raw: form });
};

describe('a large body', () => {
  it.each([
    ['as JSON', { body: { csv: long } }],
    ['as a text of its own', { raw: long, headers: asCsv }],
  ])('reaches its owner in pieces, %s', async (_, given) => {
    const answer = await call(gateway, 'POST', path, { token, ...given });
    expect([answer.status, answer.body]).toMatchObject([200, { created: pieces.length }]);
    expect(pieces.join('')).toBe(long);
    expect(pieces.length).toBeGreaterThan(2);
    for (const piece of pieces) expect(piece.length).toBeLessThan(400_000);
  });

  it('reaches its owner in pieces, as a file of a form with its fields', async () => {
    const profileId = '0198c0de-0000-7000-8000-000000000001';
    let given: unknown;
    const join = owner;
    owner = (request) => {
      ({ profileId: given } = request.body as { profileId?: string });
      return join(request);
    };
    const answer = await sendForm({ file: new File([long], 'contacts.csv', { type: 'text/csv' }), profileId });
    expect([answer.status, answer.body, given]).toMatchObject([200, { created: pieces.length }, profileId]);
    expect(pieces.join('')).toBe(long);
    const named = (form: Record<string, string | Blob>) => sendForm(form).then(({ body }) => body.error.message);
    expect(await named({ profileId })).toBe('body.file is required.');
    expect(await named({ file: 'phone\n' })).toBe('body.file must be a file.');
    expect(await named({ data: new File(['phone\n'], 'a.csv') })).toMatch(/^body.data is not a known field; .* file/);
    expect(await named({ file: new File(['phone\n'], 'a.csv'), profile: 'x' })).toMatch(/did you mean profileId\?$/);
    expect(await named({ file: new File([new Uint8Array([0xe4, 0x0a])], 'a.csv') })).toMatch(/^body must be UTF-8; /);
  });

  it('comes as one piece when it is small, or empty', async () => {
    await call(gateway, 'POST', path, { token, body: { csv: '' } });
    await call(gateway, 'POST', path, { token, raw: 'phone\n', headers: asCsv });
    expect(pieces).toEqual(['', 'phone\n']);
  });

  it('is answered when its owner refuses it half way', async () => {
    owner = async () => {
      throw new Refused('VALIDATION_ERROR', 'No header.');
    };
    const answer = await call(gateway, 'POST', path, { token, raw: long, headers: asCsv });
    expect(answer.body.error).toMatchObject({ code: 'VALIDATION_ERROR', message: 'No header.' });
  });

  it('is refused when it is too large, of another kind or no UTF-8', async () => {
    const post = (raw: string | Uint8Array<ArrayBuffer>, type = 'text/csv') =>
      call(gateway, 'POST', path, { token, raw, headers: { 'content-type': type } });
    const plain = await post('x', 'text/plain');
    expect([plain.status, plain.body.error.message]).toEqual([
      415,
      'The body must be application/json or text/csv or multipart/form-data with a file in the field file.',
    ]);
    expect((await post('x', 'multipart/form-data; boundary=x')).status).toBe(400);
    expect((await sendForm({ file: new File(['x'.repeat(26 * 1024 * 1024)], 'a.csv') })).status).toBe(413);
    expect((await post('x'.repeat(26 * 1024 * 1024))).status).toBe(413);
    expect((await post(new Uint8Array([0xff, 0xfe]))).status).toBe(400);
    expect(pieces).toEqual([]);
  });

  it('is carried out once for a repeated Idempotency-Key', async () => {
    const post = (raw: string) =>
      call(gateway, 'POST', path, { token, raw, headers: { ...asCsv, 'idempotency-key': 'one' } });
    expect((await post('phone\n')).status).toBe(200);
    expect((await post('phone\n')).headers.get('idempotency-replayed')).toBe('true');
    expect((await post('phone,name\n')).body.error.code).toBe('IDEMPOTENCY_MISMATCH');
    expect(pieces).toEqual(['phone\n']);
  });
});

describe('a large text', () => {
  it('is answered page after page', async () => {
    owner = async ({ query }) => {
      const page = Number(query['cursor'] ?? 0);
      return { status: 200, body: { text: `${page}\r\n`, nextCursor: page === 3 ? null : String(page + 1) } };
    };
    const answer = await call(gateway, 'GET', '/contacts/export/csv', { token });
    expect([answer.status, answer.text]).toEqual([200, '0\r\n1\r\n2\r\n3\r\n']);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="contacts.csv"');
  });

  it('breaks off when a later page fails, and is an error when the first one does', async () => {
    owner = async ({ query }) => {
      if (query['cursor'] === 'b') throw new Refused('SERVICE_UNAVAILABLE', 'Away.');
      return { status: 200, body: { text: 'a', nextCursor: 'b' } };
    };
    await expect(call(gateway, 'GET', '/contacts/export/csv', { token })).rejects.toThrow();
    const answer = await call(gateway, 'GET', '/contacts/export/csv?cursor=b', { token });
    expect(answer.status).toBe(503);
  });
});
