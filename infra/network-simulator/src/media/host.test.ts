import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes, X509Certificate } from 'node:crypto';
import { Agent, request } from 'undici';
import { hostCertificate } from './certificates.ts';
import { sha256 } from './cipher.ts';
import { MediaHost } from './host.ts';

const bytes = randomBytes(5000);
const token = sha256(bytes).toString('base64url');

describe('the media host', () => {
  let accepting = true;
  const host = new MediaHost('seed', '127.0.0.1', { accepts: () => accepting, stalls: () => false });
  const dispatcher = new Agent({ connect: { ca: host.authority } });
  beforeAll(() => host.start(0, '127.0.0.1'));
  afterAll(async () => {
    await dispatcher.close();
    await host.stop();
  });

  async function post(path: string, body: Buffer, word = host.word): Promise<{ status: number; path: string }> {
    const url = `https://${host.name}${path}?auth=${word}&token=${token}`;
    const answer = await request(url, { dispatcher, method: 'POST', body });
    const { direct_path: directPath = '' } = (await answer.body.json()) as { direct_path?: string };
    return { status: answer.statusCode, path: directPath };
  }

  async function get(path: string, range?: string): Promise<{ status: number; body: Buffer }> {
    const headers = range === undefined ? {} : { range };
    const answer = await request(`https://${host.name}${path}`, { dispatcher, headers });
    return { status: answer.statusCode, body: Buffer.from(await answer.body.arrayBuffer()) };
  }

  it('gives back what it was given, in parts too', async () => {
    const { status, path } = await post(`/mms/image/${token}`, bytes);
    expect(status).toBe(200);
    expect(await get(path)).toEqual({ status: 200, body: bytes });
    expect(await get(path, 'bytes=16-31')).toEqual({ status: 206, body: bytes.subarray(16, 32) });
    expect(await get(path, 'bytes=4990-9999')).toEqual({ status: 206, body: bytes.subarray(4990) });
    expect(await get(path, 'bytes=5000-')).toMatchObject({ status: 416 });
  });

  it('refuses what is not what its name says, who has no word, and paths that lead nowhere', async () => {
    expect(await post(`/mms/image/${token}`, Buffer.from('another'))).toMatchObject({ status: 400 });
    expect(await post(`/mms/image/${token}`, bytes, 'guessed')).toMatchObject({ status: 401 });
    expect(await post(`/mms/../image/${token}`, bytes)).toMatchObject({ status: 404 });
    expect(await get('/v/image/none.enc')).toMatchObject({ status: 404 });
    accepting = false;
    expect(await post(`/mms/image/${token}`, bytes)).toMatchObject({ status: 503 });
  });

  it('shows a certificate of an authority that a seed makes again', () => {
    const [one, other] = ['127.0.0.1', 'simulator'].map((name) => hostCertificate('seed', name));
    expect(one?.authority).toBe(other?.authority);
    expect(hostCertificate('another', '127.0.0.1').authority).not.toBe(one?.authority);
    const authority = new X509Certificate(other?.authority ?? '');
    const certificate = new X509Certificate(other?.certificate ?? '');
    expect(authority.ca && certificate.verify(authority.publicKey) && certificate.checkIssued(authority)).toBe(true);
    expect([certificate.checkHost('simulator'), certificate.checkHost('example.com')]).toEqual([
      'simulator',
      undefined,
    ]);
  });
});
