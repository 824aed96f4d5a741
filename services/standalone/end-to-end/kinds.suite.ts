import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { oggOpus, wav } from '@messaging-gateway/media/testing';
import { describeWithProgram, eventually, linkProfile, register, type Tenant } from '@messaging-gateway/testing';
import type { World } from './world.ts';

const contact = '4915187654333';
const phone = '4915112345633';
/** A picture of one pixel. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const sha256 = createHash('sha256').update(picture).digest('hex');
/** As much of a voice note and of a film as tells what they are. */
const voice = oggOpus(3);
const film = Buffer.concat([Buffer.from('00000018667479706d703432000000006d70343269736f6d', 'hex'), Buffer.alloc(64)]);
const paper = Buffer.from('%PDF-1.4\n%%EOF\n');

interface Chat {
  readonly id: string;
  readonly jid: string;
  readonly unreadCount: number;
  readonly disappearAfterSeconds: number | null;
}

let world: World;
let tenant: Tenant;
let profileId: string;
let files: Server;
let filesUrl: string;
/** Requests that the tenant's server has answered. */
let fetched = 0;

interface Sent {
  readonly data: { readonly messageId: string; readonly networkMessageId: string; readonly status: string };
}
interface Item {
  readonly id: string;
  readonly content: Record<string, unknown>;
  readonly networkMessageId: string;
  readonly to: string | null;
  readonly status: string;
  readonly reactions?: readonly { readonly emoji: string }[];
}

const post = (path: string, fields: object) => tenant.call<Sent>('POST', path, { profileId, ...fields });
/** Sends it to the contact. @returns what was answered, and what the contact sees of it */
const send = async (path: string, fields: object) => {
  const before = (await world.network.messages(contact)).length;
  const answer = await post(path, { to: contact, ...fields });
  expect(answer).toMatchObject({ status: 200, body: { success: true, data: { status: 'sent' } } });
  const shown = (await world.network.waitForMessages(contact, before + 1)).at(-1);
  return { ...answer.body.data, shown };
};
/** The record of a message once it is there, and holds this. It comes after the answer. */
const recorded = (messageId: string, holds: (item: Item) => boolean = () => true) =>
  eventually(async () => {
    const { status, body } = await tenant.call<Item>('GET', `/messages/${messageId}`);
    return status === 200 && holds(body) ? body : undefined;
  });

/** Messages of all kinds, awaited. */
export function kinds(at: () => World): void {
  describe('what a client asks for is what the contact decrypts, and what the record shows', () => {
    beforeAll(async () => {
      files = createServer(({ url }, response) => {
        fetched += 1;
        if (url === '/picture.png') response.writeHead(200, { 'content-type': 'image/png' }).end(picture);
        else if (url === '/paper.pdf') response.writeHead(200, { 'content-type': 'application/pdf' }).end(paper);
        else if (url === '/note.wav') response.writeHead(200, { 'content-type': 'audio/wav' }).end(wav(2));
        else response.writeHead(404).end();
      });
      await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve));
      filesUrl = `http://127.0.0.1:${(files.address() as AddressInfo).port}`;
      world = at();
      tenant = await register(world);
      ({ profileId } = await linkProfile(world, tenant, phone));
    }, 600_000);
    afterAll(() => void files.close());

    const kinds: readonly [string, object, object][] = [
      [
        '/messages/location',
        { latitude: 52.5, longitude: 13.25, name: 'Here' },
        { type: 'location', latitude: 52.5, longitude: 13.25, name: 'Here' },
      ],
      [
        '/messages/contact',
        {
          contacts: [
            { name: 'Ada Lovelace', phone: '4915112345679', email: 'ada@example.com' },
            { name: 'Bob', phone: '4915112345670' },
          ],
        },
        {
          type: 'contact',
          contacts: [
            { name: 'Ada Lovelace', phone: '4915112345679', email: 'ada@example.com' },
            { name: 'Bob', phone: '4915112345670' },
          ],
        },
      ],
      [
        '/messages/poll',
        { question: 'When?', options: ['Monday', 'Tuesday'], allowMultiple: true },
        { type: 'poll', question: 'When?', options: ['Monday', 'Tuesday'], allowMultiple: true },
      ],
    ];
    it.each(kinds)('%s', async (path, fields, seen) => {
      const { messageId, shown } = await send(path, fields);
      expect(shown?.content).toEqual(seen);
      const { content } = await recorded(messageId, ({ status }) => status !== 'queued');
      expect(content).toEqual({ type: path.split('/').at(-1), ...fields });
    });

    it('media by URL, as base64 and from an upload', async () => {
      const url = `${filesUrl}/picture.png`;
      const byUrl = await send('/messages/image', { url, caption: 'Look' });
      expect(byUrl.shown?.content).toMatchObject({
        type: 'image',
        caption: 'Look',
        media: { mimetype: 'image/png', sha256 },
      });
      expect((await recorded(byUrl.messageId)).content).toMatchObject({ caption: 'Look', url });

      const base64 = await send('/messages/image', { base64: picture.toString('base64') });
      expect(base64.shown?.content).toMatchObject({ type: 'image', media: { sha256 } });
      const { url: stable } = (await recorded(base64.messageId)).content;
      expect(stable).toMatch(/^\/api\/v1\/media\//);

      const again = await send('/messages/document', { url: stable, filename: 'again.png' });
      expect(again.shown?.content).toMatchObject({ type: 'document', filename: 'again.png', media: { sha256 } });

      const document = await send('/messages/document', { url: `${filesUrl}/paper.pdf`, filename: 'paper.pdf' });
      expect(document.shown?.content).toMatchObject({ filename: 'paper.pdf', media: { size: paper.length } });
    }, 600_000);

    it('a voice note and a film', async () => {
      const spoken = await send('/messages/audio', { base64: voice.toString('base64'), ptt: true });
      expect(spoken.shown?.content).toMatchObject({ type: 'audio', ptt: true, media: { size: voice.length } });
      expect((await recorded(spoken.messageId)).content).toMatchObject({ ptt: true, url: expect.any(String) });
      expect(spoken.shown?.content).toMatchObject({ seconds: 3, media: { mimetype: 'audio/ogg; codecs=opus' } });
      const shot = await send('/messages/video', { base64: film.toString('base64'), caption: 'Us', gif: true });
      expect(shot.shown?.content).toMatchObject({
        type: 'video',
        caption: 'Us',
        gif: true,
        media: { size: film.length },
      });
    }, 600_000);

    it('a text that names people and quotes', async () => {
      const first = await send('/messages/text', { text: 'Who is there?' });
      const quotedMessageId = first.messageId;
      await recorded(quotedMessageId);
      const { messageId, shown } = await send('/messages/text', {
        text: `@${contact}`,
        mentions: [contact],
        quotedMessageId,
      });
      expect(shown).toMatchObject({ text: `@${contact}`, mentions: [contact], quoted: first.networkMessageId });
      expect(await recorded(messageId)).toMatchObject({ quotedMessageId, content: { mentions: [`${contact}@c.us`] } });
    }, 600_000);

    describeWithProgram('ffmpeg', 'voice notes', () => {
      it('are made of other audio, as phones play them', async () => {
        const ready = await tenant.call('GET', '/health/ready');
        expect(ready.body).toMatchObject({ voiceNotes: 'converted' });
        const fields = { url: `${filesUrl}/note.wav`, ptt: true };
        const { messageId, shown } = await send('/messages/audio', fields);
        const { content } = await recorded(messageId);
        const answer = await fetch(world.gateway.host + String(content['url']), {
          headers: { authorization: `Bearer ${tenant.token}` },
        });
        const made = Buffer.from(await answer.arrayBuffer());
        expect([made.toString('latin1', 0, 4), made.toString('latin1', 28, 36)]).toEqual(['OggS', 'OpusHead']);
        expect(shown?.content).toEqual({
          type: 'audio',
          ptt: true,
          seconds: 2,
          waveform: Array.from({ length: 64 }, () => expect.any(Number)),
          media: {
            mimetype: 'audio/ogg; codecs=opus',
            size: made.length,
            sha256: createHash('sha256').update(made).digest('hex'),
            thumbnail: false,
          },
        });
        expect(content).toMatchObject({ ptt: true, mimetype: 'audio/ogg; codecs=opus' });
      }, 600_000);
    });

    it('media that are not there, or are something else, are refused and not sent', async () => {
      const before = (await world.network.messages(contact)).length;
      const missing = await post('/messages/image', { to: contact, url: `${filesUrl}/none.png` });
      expect(missing).toMatchObject({ status: 422, body: { error: { code: 'MEDIA_UNAVAILABLE' } } });
      const paperAsImage = await post('/messages/image', { to: contact, base64: paper.toString('base64') });
      expect(paperAsImage).toMatchObject({ status: 400, body: { error: { details: [{ path: 'body.base64' }] } } });
      const both = await post('/messages/image', { to: contact, base64: picture.toString('base64'), url: filesUrl });
      expect(both).toMatchObject({ status: 400, body: { error: { details: [{ path: 'body.url' }] } } });
      expect((await post('/messages/image', { to: contact })).status).toBe(400);
      expect(await world.network.messages(contact)).toHaveLength(before);
      expect(fetched).toBeGreaterThan(0);
    }, 600_000);

    it('a reply, a reaction and its taking back', async () => {
      await world.network.sendFromContact(contact, { to: phone, text: 'Well?' });
      const asked = await eventually(async () => {
        const { body } = await tenant.call<{ items: Item[] }>('GET', `/messages/profile/${profileId}?limit=50`);
        return body.items.find(({ content }) => content['text'] === 'Well?');
      });
      const reply = await post('/messages/reply', { quotedMessageId: asked.id, text: 'Yes' });
      expect(reply.status).toBe(200);
      const shown = await eventually(async () =>
        (await world.network.messages(contact)).find(({ text }) => text === 'Yes'),
      );
      expect(shown.quoted).toBe(asked.networkMessageId);
      for (const emoji of ['👍', '']) {
        expect((await post('/messages/reaction', { messageId: asked.id, emoji })).status).toBe(200);
        await eventually(async () => {
          const last = (await world.network.messages(contact)).at(-1)?.content;
          return last?.type === 'reaction' && last.emoji === emoji && last.target === asked.networkMessageId
            ? true
            : undefined;
        });
        await recorded(asked.id, ({ reactions = [] }) => reactions.map((one) => one.emoji).join() === emoji);
      }
    }, 600_000);

    it('a voice note of the contact is quoted as one, and never to somebody else', async () => {
      const other = '4915187654334';
      const media = { base64: voice.toString('base64'), mimetype: 'audio/ogg; codecs=opus' };
      await world.network.sendFromContact(contact, { to: phone, content: { type: 'audio', media, ptt: true } });
      const { id: quotedMessageId, networkMessageId } = await eventually(async () => {
        const { body } = await tenant.call<{ items: Item[] }>('GET', `/messages/profile/${profileId}?limit=50`);
        return body.items.find(({ content, status }) => status === 'received' && content['ptt'] === true);
      });
      const { shown } = await send('/messages/text', { text: 'Heard', quotedMessageId });
      expect(shown?.raw?.extendedTextMessage?.contextInfo).toMatchObject({
        stanzaId: networkMessageId,
        quotedMessage: { audioMessage: { ptt: true, mimetype: 'audio/ogg; codecs=opus' } },
      });
      const refused = await post('/messages/text', { to: other, text: 'Heard', quotedMessageId });
      expect(refused).toMatchObject({
        status: 400,
        body: { error: { code: 'VALIDATION_ERROR', details: [{ path: 'body.quotedMessageId' }] } },
      });
      expect(await world.network.messages(other)).toEqual([]);
    }, 600_000);

    it('a number that the network knows in another form is checked, written to and kept under that form', async () => {
      const [requested, returned, stranger] = ['5511977776666', '551177776666', '5521977776666'];
      await world.network.alias({ [requested]: returned });
      const checked = await tenant.call<{ items: object[] }>('POST', `/contacts/profile/${profileId}/validate`, {
        phones: [stranger, requested],
      });
      expect(checked.body.items).toMatchObject([
        { phone: stranger, exists: true, jid: `${stranger}@c.us` },
        { phone: requested, exists: true, jid: `${returned}@c.us` },
      ]);
      const sent = await post('/messages/text', { to: requested, text: 'Hello' });
      expect(sent).toMatchObject({ status: 200, body: { data: { to: `${returned}@c.us` } } });
      expect(await world.network.waitForMessages(returned, 1, 120_000)).toMatchObject([{ text: 'Hello' }]);
      await recorded(sent.body.data.messageId, (item) => item.to === `${returned}@c.us`);
      await world.network.sendFromContact(returned, { to: phone, text: 'Hello yourself' });
      const chats = async () => {
        const { body } = await tenant.call<{ items: Chat[] }>('GET', '/conversations?search=5511&limit=50');
        return body.items;
      };
      await eventually(async () => (await chats()).some(({ unreadCount }) => unreadCount === 1));
      await post('/messages/text', { to: requested, text: 'Once more' });
      expect(await chats()).toMatchObject([{ jid: `${returned}@c.us` }]);
    }, 600_000);

    it('a timer of disappearing messages is read from the chat, sent with each message, and set', async () => {
      const other = '4915187654335';
      await world.network.sendFromContact(other, {
        to: phone,
        content: {
          type: 'raw',
          message: {
            extendedTextMessage: {
              text: 'Soon gone',
              contextInfo: { expiration: 86_400, ephemeralSettingTimestamp: 1 },
            },
          },
        },
      });
      const chat = await eventually(async () => {
        const { body } = await tenant.call<{ items: Chat[] }>('GET', `/conversations?search=${other}`);
        return body.items.find(({ disappearAfterSeconds }) => disappearAfterSeconds === 86_400);
      });
      const expirations = async () =>
        (await world.network.messages(other)).map(({ raw }) => raw?.extendedTextMessage?.contextInfo?.expiration);
      await post('/messages/text', { to: other, text: 'answer' });
      expect(await expirations()).toEqual([86_400]);
      const path = `/conversations/${chat.id}/disappearing`;
      const changed = await tenant.call('PUT', path, { seconds: 604_800 });
      expect(changed).toMatchObject({ status: 200, body: { disappearAfterSeconds: 604_800 } });
      await post('/messages/text', { to: other, text: 'answer' });
      expect((await expirations()).at(-1)).toBe(604_800);
      expect(await tenant.call('PUT', path, { seconds: 5 })).toMatchObject({ status: 400 });
    }, 600_000);

    it('a deletion for everyone, of own messages only', async () => {
      const { messageId, networkMessageId } = await send('/messages/text', { text: 'Oops' });
      await recorded(messageId);
      const deleted = await post('/messages/delete-for-everyone', { messageId });
      expect(deleted).toMatchObject({ status: 200, body: { data: { messageId, status: 'sent' } } });
      const last = (await world.network.messages(contact)).at(-1);
      expect(last?.content).toEqual({ type: 'revoke', target: networkMessageId });
      await recorded(messageId, ({ status }) => status === 'deleted');
    }, 600_000);

    it('typing, and reading', async () => {
      expect(await tenant.call('POST', '/messages/typing', { profileId, to: contact })).toMatchObject({
        status: 200,
        body: { state: 'composing', to: `${contact}@c.us` },
      });
      await eventually(async () =>
        (await world.network.typing(contact)).some(({ state }) => state === 'composing') ? true : undefined,
      );
      const read = await tenant.call<{ messageIds: string[] }>('POST', '/messages/mark-read', {
        profileId,
        chatId: contact,
      });
      expect(read).toMatchObject({ status: 200, body: { chatId: `${contact}@c.us` } });
      // Answers through the API send no read receipts: the question and the voice note are both confirmed now.
      expect(read.body.messageIds).toHaveLength(2);
    }, 600_000);
  });
}
