import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { adminPages, type PagesHandler } from '@messaging-gateway/admin-pages';
import { testDatabase, type TestDatabase } from '@messaging-gateway/testing';
import { call, startTestGateway, type TestGateway } from './testing/test-gateway.ts';

const folder = mkdtempSync(join(tmpdir(), 'built-pages-'));
const script = `console.log(${JSON.stringify('x'.repeat(3000))})`;
const html = { accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8' };

let database: TestDatabase;
let gateway: TestGateway;
let pages: PagesHandler | undefined;

beforeAll(async () => {
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Built</title>');
  writeFileSync(join(folder, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  writeFileSync(join(folder, '.secret'), 'x');
  writeFileSync(
    join(folder, '.page-files.json'),
    JSON.stringify([
      {
        pathname: '/inbox/:conversationId?',
        files: ['/assets/inbox-1.js', '/assets/table-1.js'],
        asks: ['/api/v1/auth/me'],
      },
      { pathname: '/profiles/new', files: [], asks: [] },
      { pathname: '/profiles/:profileId', files: ['/assets/profile-1.js'], asks: [] },
    ]),
  );
  writeFileSync(join(folder, 'assets/main-abc.js'), script);
  writeFileSync(join(folder, 'assets/main-abc.js.br'), brotliCompressSync(script));
  writeFileSync(join(folder, 'assets/main-abc.js.gz'), gzipSync(script));
  database = await testDatabase();
  pages = adminPages({ folder, apiUrl: 'https://api.example.com/gateway' });
  gateway = await startTestGateway({
    databaseUrl: database.url,
    environment: { RATE_LIMIT_GLOBAL: '3/1h' },
    options: { pages },
  });
  rmSync(folder, { recursive: true }); // a build that is going on disturbs nobody
});
afterAll(async () => {
  await gateway.stop();
  await database.drop();
});

const get = (path: string, headers: Record<string, string> = {}) => call(gateway, 'GET', `/${path}`, { headers });
const shown = async (path: string, headers: Record<string, string> = html) => {
  const { status, text } = await get(path, headers);
  return [status, text.includes('<title>Built')];
};

describe('the web UI', () => {
  it('is its page wherever a browser goes, under a policy without exceptions', async () => {
    for (const path of ['/', '/sign-in', '/profiles/0198c0de?x=1', '/api-keys', '/index.html', '/links'])
      expect([path, await shown(path)]).toEqual([path, [200, true]]);
    const { headers } = await get('/', html);
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob: https://api.example.com; " +
        "media-src 'self' blob: https://api.example.com; font-src 'self'; connect-src 'self' https://api.example.com; " +
        "manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; " +
        "require-trusted-types-for 'script'; trusted-types service-worker",
    );
    expect([headers.get('cache-control'), headers.get('vary')]).toEqual(['no-cache', 'Accept, Accept-Encoding']);
    const known = { ...html, 'if-none-match': headers.get('etag') ?? '' };
    expect((await get('/sign-in', known)).status).toBe(304);
  });

  it('names the files of the page that was asked for, so that they are not fetched one after the other', async () => {
    const link = async (path: string) => (await get(path, html)).headers.get('link');
    const inbox =
      '</assets/inbox-1.js>; rel=modulepreload; crossorigin, </assets/table-1.js>; rel=modulepreload; crossorigin';
    for (const path of ['/inbox', '/inbox/1?x=1']) expect(await link(path)).toBe(inbox);
    expect(await link('/profiles/1')).toBe('</assets/profile-1.js>; rel=modulepreload; crossorigin');
    for (const path of ['/', '/profiles', '/profiles/new', '/inbox/1/2'])
      expect([path, await link(path)]).toEqual([path, null]);
  });

  it('has files that are kept for a year, packed as the browser takes them', async () => {
    for (const [encodings, encoding] of [
      ['gzip, deflate, br, zstd', 'br'],
      ['gzip, br;q=0', 'gzip'],
      ['identity', null],
    ] as const) {
      const answer = await get('/assets/main-abc.js', { 'accept-encoding': encodings });
      const { headers } = answer;
      expect([answer.status, answer.text, headers.get('content-encoding'), headers.get('content-type')]).toEqual([
        200,
        script,
        encoding,
        'text/javascript; charset=utf-8',
      ]);
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
    const icon = await get('/icon.svg');
    expect([icon.headers.get('cache-control'), icon.headers.get('content-type')]).toEqual([
      'public, max-age=3600',
      'image/svg+xml',
    ]);
    expect(icon.headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
    const head = await call(gateway, 'HEAD', '//assets/main-abc.js', { headers: { 'accept-encoding': 'identity' } });
    expect([head.text, head.headers.get('content-length')]).toEqual(['', String(script.length)]);
    expect((await get('/assets/main-abc.js', { range: 'bytes=5-2', 'accept-encoding': 'identity' })).text).toBe(script);
  });

  it('is none of what is the API’s, nor of what is not there', async () => {
    for (const [path, headers] of [
      ['/assets/main-abd.js', html],
      ['/.secret', {}],
      ['/nothing', {}],
    ] as const)
      expect((await get(path, headers)).body.error.code).toBe('NOT_FOUND');
  });

  it('does not count against any limit', async () => {
    for (let times = 0; times < 10; times += 1) expect((await get('/icon.svg')).status).toBe(200);
    expect((await get('/api/v1/health')).status).toBe(429); // the three of before were those that found nothing
  });
});

describe('beside the web UI', () => {
  it('the API and the page for linking answer as ever', async () => {
    const beside = await startTestGateway({
      databaseUrl: database.url,
      beside: gateway,
      options: { pages },
    });
    for (const path of ['/api', '/api/nothing', '/api/v1/nothing'])
      expect((await call(beside, 'GET', `/${path}`, { headers: html })).body.error.code).toBe('NOT_FOUND');
    expect((await call(beside, 'GET', '//link', { headers: html })).headers.get('content-security-policy')).toMatch(
      /form-action 'none'/,
    );
    const start = await call(beside, 'GET', '//', { headers: { accept: '*/*' } });
    expect(start.body['links']).toMatchObject({ documentation: expect.stringContaining('/api/docs') });
    await beside.stop();
  });
});
