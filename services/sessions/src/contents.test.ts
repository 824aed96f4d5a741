import { createHash, randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  mediaKey,
  SendTyping,
  SessionMessage,
  SessionMessageChanged,
  type Caller,
  type DataOf,
  type OutgoingContentOf,
} from '@messaging-gateway/contracts';
import type { Content } from '@messaging-gateway/network-simulator';
import { v7 } from 'uuid';
import { newNetworkId, until } from './testing/engine-harness.ts';
import { sessionsTest, type SessionsTest } from './testing/sessions-test.ts';

/** A picture of one point. */
const small = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==',
  'base64',
);
const large = randomBytes(6 * 1024 * 1024);
const hash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
/** The first bytes of a picture, so that it is one to whoever looks at them. */
const picture = Buffer.concat([
  Buffer.from('89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de7fffffff49444154', 'hex'),
  randomBytes(40_000),
]);

describe.each([
  ['LMDB', true, '1'],
  ['PostgreSQL', false, '2'],
])('contents, with session data in %s', (_, isAlone, digit) => {
  let test: SessionsTest;
  let caller: Caller;
  let profileId: string;
  let server: Server | undefined;
  let origin: string;
  const phone = `491512000150${digit}`;
  const contact = `491510000150${digit}`;

  beforeAll(async () => {
    test = await sessionsTest(undefined, { isAlone });
    caller = await test.organization();
    profileId = (await test.linked(caller, phone)).id;
    const listening = createServer((request, response) => {
      if (request.url === '/picture') response.end(picture);
      else if (request.url === '/page')
        response
          .setHeader('Content-Type', 'text/html')
          .end('<title>Tea</title><meta property="og:image" content="/small">');
      else if (request.url === '/small') response.setHeader('Content-Type', 'image/png').end(small);
      else response.writeHead(404).end();
    });
    server = listening;
    await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(listening.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    server?.close();
    await test.stop();
  });

  const told = (id: string): Promise<DataOf<typeof SessionMessage>> =>
    until(
      async () => (await test.service.published(SessionMessage)).find(({ data }) => data.networkMessageId === id)?.data,
    );
  const received = async (content: Content): Promise<DataOf<typeof SessionMessage>> =>
    told((await test.simulator.sendFromContact(contact, { to: phone, content })).id);
  const shown = (id: string) =>
    until(async () => (await test.simulator.messages(contact)).find((message) => message.id === id));

  it('media that come in are in the store when the message is told', async () => {
    const message = await received({
      type: 'document',
      filename: 'large.bin',
      media: { base64: large.toString('base64'), mimetype: 'application/octet-stream' },
    });
    const { content } = message.content;
    if (!('media' in content)) throw new Error('No media.');
    expect(content).toMatchObject({
      filename: 'large.bin',
      media: { mimetype: 'application/octet-stream', size: large.length, filename: 'large.bin' },
    });
    const key = content.media.key ?? '';
    expect(key.startsWith(`${caller.organizationId}/${profileId}/`)).toBe(true);
    const object = await test.service.media.get(key);
    expect(object?.filename).toBe('large.bin');
    expect(hash(object === undefined ? Buffer.of() : await buffer(object.stream))).toBe(hash(large));
  });

  it('media that are gone are told without a key', async () => {
    const media = { base64: picture.toString('base64'), mimetype: 'image/png', fault: 'gone' } as const;
    const { content } = await received({ type: 'image', caption: 'Gone', media });
    expect(content).toEqual({
      type: 'image',
      content: { caption: 'Gone', media: { mimetype: 'image/png', size: picture.length } },
    });
  });

  it('a preview that came with a text is told', async () => {
    const linkPreview = { url: 'https://example.com', title: 'Example', description: 'Of a page' };
    const message = await received({ type: 'text', text: 'See https://example.com', linkPreview });
    expect(message.content).toEqual({
      type: 'text',
      content: { text: 'See https://example.com', preview: linkPreview },
    });
  });

  it('changes are told', async () => {
    const { networkMessageId: target } = await received({ type: 'text', text: 'Tuesday' });
    await test.simulator.sendFromContact(contact, { to: phone, content: { type: 'edit', target, text: 'Wednesday' } });
    const { data } = await until(async () =>
      (await test.service.published(SessionMessageChanged)).find((one) => one.data.target.networkMessageId === target),
    );
    expect(data).toMatchObject({
      profileId,
      change: { type: 'edited', content: { type: 'text', content: { text: 'Wednesday' } } },
    });
  });

  it('media go out from the store and from a URL, and arrive as they were', async () => {
    const key = mediaKey({ organizationId: caller.organizationId }, v7());
    await test.service.media.put(key, Readable.from([large]));
    const [stored, fetched] = [newNetworkId(), newNetworkId()];
    const document = { type: 'document', content: { filename: 'large.bin' }, media: { key } } as const;
    expect(await test.deliverContent(caller, profileId, contact, document, stored)).toMatchObject({
      outcome: 'acknowledged',
    });
    expect((await shown(stored)).content).toMatchObject({
      filename: 'large.bin',
      media: { size: large.length, sha256: hash(large) },
    });
    const image = { type: 'image', content: { caption: 'By URL' }, media: { url: `${origin}/picture` } } as const;
    expect(await test.deliverContent(caller, profileId, contact, image, fetched)).toMatchObject({
      outcome: 'acknowledged',
    });
    expect((await shown(fetched)).content).toMatchObject({
      caption: 'By URL',
      media: { mimetype: 'image/png', size: picture.length, sha256: hash(picture) },
    });
  });

  it('a text shows the page that it names when it is asked to, and goes out without one that cannot be read', async () => {
    const texts = [
      [`${origin}/page`, true, { url: `${origin}/page`, title: 'Tea', thumbnail: expect.any(String) }],
      [`${origin}/page`, false, undefined],
      [`${origin}/nothing`, true, undefined],
    ] as const;
    const seen = async (content: OutgoingContentOf) => {
      const id = newNetworkId();
      expect(await test.deliverContent(caller, profileId, contact, content, id)).toMatchObject({
        outcome: 'acknowledged',
      });
      return (await shown(id)).content;
    };
    for (const [link, linkPreview, expected] of texts) {
      const content = { type: 'text', content: { text: `See ${link}`, linkPreview } } as const;
      // A page that a slow machine does not read in time is not waited for: the next message shows it.
      const found = await until(async () => {
        const one = await seen(content);
        return (expected === undefined || 'linkPreview' in one) && one;
      });
      expect(found).toEqual({
        type: 'text',
        text: `See ${link}`,
        ...(expected !== undefined && { linkPreview: expected }),
      });
    }
  });

  it.each([
    ['that nobody has', () => ({ url: `${origin}/nothing` })],
    ['of another organization', () => ({ key: mediaKey({ organizationId: v7() }, v7()) })],
  ])('media %s are refused, at each attempt anew', async (_what, media) => {
    const content = { type: 'image', content: {}, media: media() } as const;
    const id = newNetworkId();
    const refused = { outcome: 'refused', code: 'MEDIA_UNAVAILABLE' };
    expect(await test.deliverContent(caller, profileId, contact, content, id)).toMatchObject(refused);
    expect((await test.simulator.messages(contact)).filter((message) => message.id === id)).toEqual([]);
  });

  it('typing is seen at the contact', async () => {
    const { organizationId } = caller;
    for (const state of ['composing', 'recording', 'paused'] as const)
      await test.service.ask(SendTyping, { organizationId, profileId, chat: `${contact}@c.us`, state });
    const seen = await until(async () => {
      const all = await test.simulator.typing(contact, { from: phone });
      return all.length === 3 && all;
    });
    expect(seen.map(({ state }) => state)).toEqual(['composing', 'recording', 'paused']);
  });
});
