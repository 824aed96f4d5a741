import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mediaKey, mediaUrl } from '@messaging-gateway/contracts';
import { png, sourceOf } from '@messaging-gateway/media/testing';
import { testDatabase, type TestDatabase } from '@messaging-gateway/testing';
import { startTestGateway, type TestGateway } from '../testing/test-gateway.ts';

const MiB = 1024 * 1024;
const organizationId = randomUUID();
const profileId = randomUUID();
let database: TestDatabase;
let gateway: TestGateway;
let token: string;

beforeAll(async () => {
  database = await testDatabase();
  gateway = await startTestGateway({ databaseUrl: database.url });
  ({ token } = gateway.identity.signIn(gateway.clock, { organizationId, permissions: ['message:read'] }));
});
afterAll(async () => {
  await gateway.stop();
  await database.drop();
});

const fetched = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
  const answer = await fetch(gateway.url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, ...headers },
  });
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
};

describe('GET /media', () => {
  const bytes = png(100_000);
  const stored = async (
    options: { profileId?: string; organizationId?: string; bytes?: Buffer; name?: string } = {},
  ) => {
    const place = { organizationId: options.organizationId ?? organizationId };
    const key = mediaKey(
      options.profileId === undefined ? place : { ...place, profileId: options.profileId },
      randomUUID(),
    );
    await gateway.media.put(key, sourceOf(options.bytes ?? bytes), { filename: options.name, mimetype: 'text/html' });
    return mediaUrl(key);
  };

  it('gives the range that is asked for', async () => {
    const url = await stored();
    const part = await fetched(url, { range: 'bytes=99990-' });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, 'bytes 99990-99999/100000']);
    expect(part.bytes.equals(bytes.subarray(99_990))).toBe(true);
    const last = await fetched(url, { range: 'bytes=-5' });
    expect(last.bytes.equals(bytes.subarray(99_995))).toBe(true);
    expect((await fetched(url, { range: 'bytes=0-1,5-6' })).status).toBe(200);
    const behind = await fetched(url, { range: 'bytes=100000-' });
    expect([behind.status, behind.headers.get('content-range')]).toEqual([416, 'bytes */100000']);
    expect(JSON.parse(behind.bytes.toString()).error.code).toBe('RANGE_NOT_SATISFIABLE');
  });

  it('gives nothing to who has it, and the whole to who had something else', async () => {
    const url = await stored();
    const etag = (await fetched(url)).headers.get('etag') ?? '';
    expect((await fetched(url, { 'if-none-match': etag, 'cache-control': 'max-age=0' })).status).toBe(304);
    expect((await fetched(url, { range: 'bytes=0-9', 'if-range': etag })).status).toBe(206);
    expect((await fetched(url, { range: 'bytes=0-9', 'if-range': '"other"' })).status).toBe(200);
    const head = await fetched(url, {}, 'HEAD');
    expect([head.status, head.headers.get('content-length'), head.bytes.length]).toEqual([200, '100000', 0]);
  });

  it('lets no browser run what somebody has sent', async () => {
    const page = await fetched(await stored({ bytes: Buffer.from('<html><script>'), name: 'a\r\nb/"c.html' }));
    expect(page.headers.get('content-type')).toBe('text/html');
    expect(page.headers.get('x-content-type-options')).toBe('nosniff');
    expect(page.headers.get('content-security-policy')).toContain('sandbox');
    expect(page.headers.get('content-disposition')).toMatch(/^attachment; filename=/);
    expect(page.headers.get('cache-control')).toBe('private, max-age=86400, immutable');
  });

  it('names what it gives, whatever the sender has called it', async () => {
    const { status, headers } = await fetched(await stored({ name: `${'漢'.repeat(3_000)}\ud83d.pdf` }));
    expect([status, headers.get('content-disposition')]).toEqual([200, expect.stringMatching(/%E6%BC%A2.*\.pdf$/)]);
  });

  it('knows no media of other organizations, none that are not there, and no other paths', async () => {
    const foreign = await stored({ organizationId: randomUUID() });
    const missing = mediaUrl(mediaKey({ organizationId }, randomUUID()));
    const paths = [foreign, missing, `/api/v1/media/${organizationId}/..%2f..%2fetc/${randomUUID()}`];
    for (const path of [...paths, `/api/v1/media/${organizationId}/uploads/passwd`, '/api/v1/media/x'])
      expect([path, (await fetched(path)).status]).toEqual([path, 404]);
  });

  it('needs a credential with message:read', async () => {
    const url = await stored();
    expect((await fetch(gateway.url + url)).status).toBe(401);
    const sender = gateway.identity.signIn(gateway.clock, { organizationId, permissions: ['message:send'] });
    expect((await fetched(url, { authorization: `Bearer ${sender.token}` })).status).toBe(403);
  });

  it('refuses media of other profiles to a key that is limited', async () => {
    const url = await stored({ profileId });
    const asking = async (profileIds: string[]): Promise<number> => {
      const { key } = gateway.identity.makeKey({ organizationId, permissions: ['message:read'], profileIds });
      return (await fetch(gateway.url + url, { headers: { 'x-api-key': key } })).status;
    };
    expect([await asking([profileId]), await asking([randomUUID()])]).toEqual([200, 403]);
  });

  it('streams what is large', async () => {
    const large = Buffer.alloc(20 * MiB, 3);
    const got = await fetched(await stored({ bytes: large }));
    const sha256 = (data: Buffer): string => createHash('sha256').update(data).digest('hex');
    expect(sha256(got.bytes)).toBe(sha256(large));
  });
});
