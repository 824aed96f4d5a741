import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { firstLink, linkPreviews } from './link-previews.ts';

type Answer = (response: ServerResponse, request: IncomingMessage) => unknown;

const html =
  (text: string | Buffer, type = 'text/html; charset=utf-8'): Answer =>
  (response) =>
    response.setHeader('Content-Type', type).end(text);
const head = (tags: string): Answer => html(`<!doctype html><html><head>${tags}</head><body><title>No</title>`);
let picture: Buffer;
const answers: Readonly<Record<string, Answer>> = {
  '/page': head(`
    <title>Plain title</title>
    <meta property="og:title" content="Tea &amp; more">
    <meta content="All about
      tea" name="Description">
    <meta property="og:image" content="/picture.png">`),
  '/plain': head('<title> Only a\n title </title><meta property="og:image" content="/page">'),
  '/untitled': head('<meta name="description" content="No title">'),
  '/latin': html(Buffer.from('<title>Größe</title>', 'latin1'), 'text/html; charset=iso-8859-1'),
  '/unknown-charset': html('<title>Größe</title>', 'text/html; charset=x-none'),
  '/moved': (response) => response.writeHead(301, { Location: '/moved-again' }).end(),
  '/moved-again': (response) => response.writeHead(302, { Location: 'page?from=there' }).end(),
  '/page?from=there': head('<title>Arrived</title>'),
  '/circle': (response) => response.writeHead(302, { Location: '/circle' }).end(),
  '/inward': (response) => response.writeHead(302, { Location: 'http://169.254.169.254/latest' }).end(),
  '/picture.png': (response) => response.setHeader('Content-Type', 'image/png').end(picture),
  '/broken-picture': head('<title>Broken</title><meta property="og:image" content="/no-picture">'),
  '/no-picture': (response) => response.setHeader('Content-Type', 'image/png').end('not a picture'),
  '/drawn': head('<title>Drawn</title><meta property="og:image" content="/drawn.png">'),
  '/drawn.png': (response) => response.setHeader('Content-Type', 'image/png').end(drawing),
  '/bomb': head('<title>Bomb</title><meta property="og:image" content="/endless-picture">'),
  '/endless-picture': (response) => endless(response.setHeader('Content-Type', 'image/png')),
  '/endless': (response) => {
    response.setHeader('Content-Type', 'text/html').write('<title>Endless</title>');
    endless(response);
  },
  '/json': html('{}', 'application/json'),
  '/silent': () => undefined,
  '/dies': (response) => {
    response.setHeader('Content-Type', 'text/html').write('<title>Dies');
    setTimeout(() => response.socket?.destroy(), 20);
  },
};

/** Takes a minute to draw, where it is drawn. */
const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="2000" height="2000">
  <filter id="f">${'<feTurbulence baseFrequency="0.9" numOctaves="9"/>'.repeat(2_500)}</filter>
  <rect width="2000" height="2000" filter="url(#f)"/></svg>`;

function endless(response: ServerResponse): void {
  const go = (): void => {
    if (response.destroyed) return;
    if (response.write(Buffer.alloc(65_536, ' '))) setImmediate(go);
    else response.once('drain', go);
  };
  response.on('error', () => undefined);
  go();
}

let server: Server;
let origin: string;
beforeAll(async () => {
  picture = await sharp({ create: { width: 800, height: 400, channels: 3, background: '#0a0' } })
    .png()
    .toBuffer();
  server = createServer((request, response) => {
    const answer = answers[request.url ?? ''];
    if (answer === undefined) response.writeHead(404).end();
    else answer(response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** For machines that are slow. */
const patienceMs = 150_000;
const patient = { wholeMs: patienceMs, silenceMs: patienceMs, pictureMs: patienceMs };
const preview = linkPreviews({ allowPrivate: true }, patient);
const of = (path: string, waitMs = patienceMs, organization = 'one') =>
  preview(`Look: ${origin}${path}.`, waitMs, organization);

describe('a link preview', () => {
  it('shows what the page says of itself, with a small picture', async () => {
    const { thumbnail, ...said } = (await of('/page')) ?? {};
    expect(said).toEqual({ url: `${origin}/page`, title: 'Tea & more', description: 'All about tea' });
    expect(await sharp(thumbnail).metadata()).toMatchObject({ format: 'jpeg', width: 192, height: 96 });
  });

  it.each([
    ['has a title only', '/plain', 'Only a title'],
    ['is in another character set', '/latin', 'Größe'],
    ['names no known character set', '/unknown-charset', 'Größe'],
    ['was moved', '/moved', 'Arrived'],
    ['names what is no picture', '/broken-picture', 'Broken'],
    ['names a picture without end', '/bomb', 'Bomb'],
    ['has no end', '/endless', 'Endless'],
  ])('is made of a page that %s', async (_, path, title) => {
    expect(await of(path)).toEqual({ url: `${origin}${path}`, title });
  });

  it.each([
    ['that is not there', '/nothing'],
    ['that has no title', '/untitled'],
    ['that leads in a circle', '/circle'],
    ['that leads into the network of the machine', '/inward'],
    ['that is no page', '/json'],
    ['that breaks off', '/dies'],
  ])('is not made of a page %s', async (_, path) => {
    expect(await of(path)).toBeUndefined();
  });

  it.each(['jpeg', 'png', 'webp', 'gif', 'avif'] as const)(
    'shows a picture in %s, whatever it is said to be',
    async (format) => {
      const before = picture;
      picture = await sharp({ create: { width: 60, height: 30, channels: 3, background: '#a00' } })
        .toFormat(format)
        .toBuffer();
      const { thumbnail } = (await of('/page')) ?? {};
      picture = before;
      expect(await sharp(thumbnail).metadata()).toMatchObject({ format: 'jpeg', width: 60, height: 30 });
    },
  );

  it('shows no drawing that is said to be a picture, and spends no time on it', async () => {
    const before = process.cpuUsage();
    expect(await of('/drawn')).toEqual({ url: `${origin}/drawn`, title: 'Drawn' });
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(5_000);
  });

  it('waits for nobody else: neither for pages that say nothing nor for more of them than are read at once', async () => {
    const others = Array.from({ length: 30 }, () => of('/silent', 3_000, 'many'));
    expect(await of('/page', patienceMs, 'one')).toMatchObject({ title: 'Tea & more' });
    expect(await Promise.all(others)).toEqual(others.map(() => undefined));
  });

  it('is given up after a time', async () => {
    expect(await of('/silent', 200)).toBeUndefined();
  });

  it('is not made of a page at an address that is not allowed', async () => {
    let asked = 0;
    server.once('request', () => (asked += 1));
    expect(await linkPreviews({ allowPrivate: false })(`${origin}/page`, patienceMs, 'one')).toBeUndefined();
    expect(asked).toBe(0);
  });
});

describe('the first link of a text', () => {
  it.each([
    ['See https://example.com/a?b=c#d, please', 'https://example.com/a?b=c#d'],
    ['(https://example.com/x)', 'https://example.com/x'],
    ['https://en.example.org/wiki/Tea_(drink) is', 'https://en.example.org/wiki/Tea_(drink)'],
    ['HTTP://EXAMPLE.COM', 'HTTP://EXAMPLE.COM'],
    ['*https://example.com*', 'https://example.com'],
    ['example.com', undefined],
    ['https://', undefined],
    ['http:// example.com', undefined],
    ['', undefined],
  ])('of %j', (text, link) => {
    expect(firstLink(text)).toBe(link);
  });

  it('is none when no address is so long', () => {
    expect(firstLink(`https://example.com/${'x'.repeat(3_000)}`)).toBeUndefined();
  });
});
