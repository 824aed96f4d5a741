import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mediaKey } from '@messaging-gateway/contracts';
import { v7 } from 'uuid';
import { localMediaStore } from '../local/local-store.ts';
import { png, sourceOf } from '../suites/sources.ts';
import { mediaSources } from './media-sources.ts';

const MiB = 1024 * 1024;
const policy = { allowPrivate: true };
const directory = mkdtempSync(join(tmpdir(), 'media-'));
const store = localMediaStore(directory);
/** As long as a busy machine needs. */
const times = { connect: 60_000, silence: 60_000, whole: 120_000 };
const media = mediaSources({ store, policy, times });
const picture = png(50_000);
let server: Server;
let origin: string;

const answers: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => void>> = {
  '/picture?size=1': (_, response) => void response.setHeader('Content-Type', 'text/html').end(picture),
  '/moved': (_, response) => void response.writeHead(302, { Location: '/picture' }).end(),
  '/nowhere': (_, response) => void response.writeHead(404).end('<html>'),
  '/page': (_, response) => void response.setHeader('Content-Type', 'image/png').end('<html><p>Sign in'),
  '/announced': (_, response) => void response.setHeader('Content-Length', 17 * MiB).end(),
  '/endless': (_, response) =>
    void Readable.from(endless())
      .on('error', () => undefined)
      .pipe(response),
  '/broken': (request, response) => {
    response.setHeader('Content-Length', 50_000);
    response.write(picture.subarray(0, 20_000), () => request.socket.destroy());
  },
  '/packed': (_, response) => void response.setHeader('Content-Encoding', 'gzip').end(picture),
  '/silent': () => undefined,
};

async function* endless() {
  yield png(65_536);
  for (;;) yield Buffer.alloc(65_536, 1);
}

beforeAll(async () => {
  server = createServer((request, response) =>
    (answers[request.url ?? ''] ?? answers['/nowhere'])?.(request, response),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(directory, { recursive: true });
});

const refused = (reason: string | RegExp) => ({ code: 'MEDIA_UNAVAILABLE', message: expect.stringMatching(reason) });

describe('media of a tenant’s URL', () => {
  it('come as a stream, with the type of their bytes', async () => {
    const { stream, mimetype } = await media.open({ url: `${origin}/picture?size=1` }, 'image');
    expect(mimetype).toBe('image/png');
    expect((await buffer(stream)).equals(picture)).toBe(true);
  });

  it.each([
    ['where they were moved from', '/moved', 'redirects are not followed'],
    ['that are not there', '/nowhere', 'status 404'],
    ['that are a page instead', '/page', 'they are text/plain, which cannot be sent as image'],
    ['that say that they are too large', '/announced', 'larger than 16 MiB'],
    ['that are compressed', '/packed', 'compressed'],
  ])('are not to be had %s', async (_, path, reason) => {
    await expect(media.open({ url: origin + path }, 'image')).rejects.toMatchObject(refused(reason));
  });

  it('are cut off when they become too large, or break off', async () => {
    const { stream } = await media.open({ url: `${origin}/endless` }, 'image');
    await expect(buffer(stream)).rejects.toMatchObject(refused('larger than 16 MiB'));
    const broken = await media.open({ url: `${origin}/broken` }, 'image');
    await expect(buffer(broken.stream)).rejects.toMatchObject(refused('the connection failed'));
  });

  it('are given up after a time', async () => {
    const hasty = mediaSources({ store, policy, times: { ...times, whole: 300 } });
    await expect(hasty.open({ url: `${origin}/silent` }, 'image')).rejects.toMatchObject(refused('too long'));
  });

  it('are given up when nobody wants them any more', async () => {
    const ending = new AbortController();
    const { stream } = await media.open({ url: `${origin}/endless` }, 'image', { signal: ending.signal });
    ending.abort();
    await expect(buffer(stream)).rejects.toMatchObject({ code: 'MEDIA_UNAVAILABLE' });
  });

  it.each([
    ['a private address', 'http://127.0.0.1:1/x'],
    ['a metadata service', 'http://169.254.169.254/latest'],
    ['an odd form of loopback', 'http://0x7f.1/x'],
    ['another scheme', 'file:///etc/passwd'],
  ])('are not fetched from %s', async (_, url) => {
    const guarded = mediaSources({ store, policy: { allowPrivate: false } });
    await expect(guarded.open({ url }, 'image')).rejects.toMatchObject(refused('the URL must'));
  });
});

describe('media of the store', () => {
  it('are read from there', async () => {
    const key = mediaKey({ organizationId: v7() }, v7());
    await store.put(key, sourceOf(picture), { filename: 'a.png' });
    const { stream, ...facts } = await media.open({ key }, 'document');
    expect(facts).toEqual({ mimetype: 'image/png', filename: 'a.png' });
    expect((await buffer(stream)).equals(picture)).toBe(true);
    await expect(media.open({ key }, 'audio')).rejects.toMatchObject(refused('image/png'));
  });

  it('that were deleted are not to be had', async () => {
    const key = mediaKey({ organizationId: v7() }, v7());
    await expect(media.open({ key }, 'image')).rejects.toMatchObject(refused('no longer stored'));
  });
});
