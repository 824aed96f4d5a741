import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { proto, type AnyMessageContent, type WAMessage } from '@whiskeysockets/baileys';
import { startSimulator, type ShownMessage, type Simulator } from './index.ts';
import { linked, type Client } from './testing/client.ts';

const phone = '4915112345678';
const contact = '4915100000001';
const other = '4915100000002';
const jid = (number: string) => `${number}@s.whatsapp.net`;
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe('what a client sends is decrypted by the contact:', () => {
  let simulator: Simulator;
  let client: Client;
  let count = 0;
  beforeAll(async () => {
    simulator = await startSimulator();
    client = await linked(simulator, phone);
  });
  afterAll(async () => {
    client.end();
    await simulator.stop();
  });

  async function send(
    content: AnyMessageContent,
    quoted?: WAMessage,
  ): Promise<{ sent: WAMessage; shown: ShownMessage }> {
    const options = quoted === undefined ? {} : { quoted };
    const sent = await client.socket.sendMessage(jid(contact), content, options);
    const shown = await simulator.waitForMessages(contact, ++count);
    if (sent === undefined) throw new Error('The client sent nothing.');
    // The library changes what it returned when the message is deleted.
    return { sent: { ...sent, key: { ...sent.key } }, shown: shown.at(-1) as ShownMessage };
  }

  const bytes = randomBytes(70_000);
  const media = { size: bytes.length, sha256: sha256(bytes), thumbnail: false };

  it('an image with a caption', async () => {
    const { sent, shown } = await send({ image: bytes, caption: 'Look', mimetype: 'image/png' });
    expect(shown).toMatchObject({ id: sent.key.id, from: phone, to: contact, mentions: [] });
    expect(shown.content).toEqual({ type: 'image', caption: 'Look', media: { ...media, mimetype: 'image/png' } });
  });

  it('a video, as an animation too', async () => {
    const { shown } = await send({ video: bytes, gifPlayback: true });
    expect(shown.content).toEqual({ type: 'video', gif: true, media: { ...media, mimetype: 'video/mp4' } });
  });

  it('a voice note and a sound', async () => {
    const note = await send({ audio: bytes, ptt: true, seconds: 3, mimetype: 'audio/ogg; codecs=opus' });
    const mimetype = 'audio/ogg; codecs=opus';
    expect(note.shown.content).toEqual({ type: 'audio', ptt: true, seconds: 3, media: { ...media, mimetype } });
    const sound = await send({ audio: bytes, seconds: 3, mimetype: 'audio/mp4' });
    expect(sound.shown.content).toMatchObject({ type: 'audio', ptt: false });
  });

  it('a document with its name', async () => {
    const mimetype = 'application/pdf';
    const { shown } = await send({ document: bytes, fileName: 'Bill.pdf', mimetype, caption: 'March' });
    const expected = { type: 'document', filename: 'Bill.pdf', caption: 'March', media: { ...media, mimetype } };
    expect(shown.content).toEqual(expected);
  });

  it('a place', async () => {
    const location = { degreesLatitude: 52.52, degreesLongitude: 13.405, name: 'Berlin', address: 'Mitte' };
    const { shown } = await send({ location });
    const expected = { type: 'location', latitude: 52.52, longitude: 13.405, name: 'Berlin', address: 'Mitte' };
    expect(shown.content).toEqual(expected);
  });

  it('contact cards', async () => {
    const card = (name: string) =>
      `BEGIN:VCARD\nVERSION:3.0\nFN:${name}\nitem1.TEL;waid=${other}:+49 151 00000002\nEMAIL;type=work:a@example.com\nEND:VCARD`;
    const contacts = ['Ann', 'Bob'].map((displayName) => ({ displayName, vcard: card(displayName) }));
    const { shown } = await send({ contacts: { displayName: '2', contacts } });
    const expected = ['Ann', 'Bob'].map((name) => ({ name, phone: other, email: 'a@example.com' }));
    expect(shown.content).toEqual({ type: 'contact', contacts: expected });
    const { shown: one } = await send({ contacts: { displayName: 'Ann', contacts: contacts.slice(0, 1) } });
    expect(one.content).toEqual({ type: 'contact', contacts: expected.slice(0, 1) });
  });

  it('a poll', async () => {
    const values = ['Yes', 'No'];
    const { shown } = await send({ poll: { name: 'Well?', values, selectableCount: 1 } });
    expect(shown.content).toEqual({ type: 'poll', question: 'Well?', options: values, allowMultiple: false });
    const { shown: many } = await send({ poll: { name: 'Well?', values, selectableCount: 0 } });
    expect(many.content).toMatchObject({ allowMultiple: true });
  });

  it('a text with mentions, a preview and what it answers', async () => {
    const { sent: quoted } = await send({ text: 'First' });
    const linkPreview = {
      'canonical-url': '',
      'matched-text': 'https://example.com',
      title: 'Example',
      description: 'D',
    };
    const mentions = [jid(other), (await simulator.phone(contact)).lid + '@lid'];
    const { shown } = await send({ text: '@4915100000002 https://example.com', mentions, linkPreview }, quoted);
    expect(shown).toMatchObject({ quoted: quoted.key.id, quotedAuthor: phone, mentions: [other, contact] });
    expect(shown.content).toEqual({
      type: 'text',
      text: '@4915100000002 https://example.com',
      linkPreview: { url: 'https://example.com', title: 'Example', description: 'D' },
    });
  });

  it('a reaction, its removal, an edit and a revoke', async () => {
    const { sent } = await send({ text: 'Changing' });
    const target = sent.key.id;
    expect((await send({ react: { key: sent.key, text: '👍' } })).shown.content).toEqual({
      type: 'reaction',
      target,
      emoji: '👍',
    });
    expect((await send({ react: { key: sent.key, text: '' } })).shown.content).toEqual({
      type: 'reaction',
      target,
      emoji: '',
    });
    const edited = await send({ text: 'Changed', edit: sent.key });
    expect(edited.shown.content).toEqual({ type: 'edit', target, text: 'Changed' });
    expect((await send({ delete: sent.key })).shown.content).toEqual({ type: 'revoke', target });
  });

  it('something that people here do not know', async () => {
    const message = proto.Message.fromObject({ requestPhoneNumberMessage: {} });
    await client.socket.relayMessage(jid(contact), message, { messageId: '3EB0UNKNOWN' });
    const shown = await simulator.waitForMessages(contact, ++count);
    expect(shown.at(-1)?.content).toEqual({ type: 'unsupported', kind: 'requestPhoneNumberMessage' });
  });

  it('a file that is not on the media host, and one that is another', async () => {
    const { sent } = await send({ image: bytes });
    const file = sent.message?.imageMessage;
    const image = async (change: proto.Message.IImageMessage) => {
      const message = proto.Message.fromObject({ imageMessage: { ...file, ...change } });
      await client.socket.relayMessage(jid(contact), message, {});
      const { content } = (await simulator.waitForMessages(contact, ++count)).at(-1) as ShownMessage;
      return 'media' in content ? content.media.fault : undefined;
    };
    expect(await image({ directPath: '/v/image/none.enc' })).toBe('missing');
    expect(await image({ fileLength: 5 })).toBe('size');
    expect(await image({ fileSha256: randomBytes(32) })).toBe('hash');
    expect(await image({ mediaKey: randomBytes(32) })).toBe('authentication');
  });

  it('and nothing when uploads are refused', async () => {
    await simulator.configureNetwork({ acceptUploads: false });
    await expect(client.socket.sendMessage(jid(contact), { image: bytes })).rejects.toThrow('upload failed');
    await simulator.configureNetwork({ acceptUploads: true });
    await send({ image: bytes });
  });
});
