import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  decryptPollVote,
  downloadMediaMessage,
  normalizeMessageContent,
  proto,
  type WAMessage,
} from '@whiskeysockets/baileys';
import { startSimulator, type Content, type GivenMedia, type Simulator } from './index.ts';
import { linked, type Client } from './testing/client.ts';
import { trusting } from './testing/trusting.ts';
import { until } from './testing/until.ts';

const phone = '4915112345678';
const contact = '4915100000001';
const other = '4915100000002';
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const bytes = randomBytes(70_000);
const base64 = bytes.toString('base64');

describe('what a contact sends is decrypted by the client:', () => {
  let simulator: Simulator;
  let client: Client;
  const came: WAMessage[] = [];
  const changed: { key: WAMessage['key']; update: Partial<WAMessage> }[] = [];
  beforeAll(async () => {
    simulator = await startSimulator();
    client = await linked(simulator, phone);
    client.socket.ev.on('messages.upsert', ({ messages }) => came.push(...messages));
    client.socket.ev.on('messages.update', (updates) => changed.push(...updates));
  });
  afterAll(async () => {
    client.end();
    await simulator.stop();
  });

  async function receive(content: Content, from = contact): Promise<WAMessage> {
    const { id } = await simulator.sendFromContact(from, { to: phone, content });
    return until(() => came.find(({ key }) => key.id === id));
  }

  const download = (message: WAMessage) =>
    downloadMediaMessage(message, 'buffer', { options: trusting(simulator.ca, simulator.mediaHost).options ?? {} });

  it.each([
    ['imageMessage', { type: 'image', caption: 'Look', media: { base64, mimetype: 'image/png' } }],
    ['videoMessage', { type: 'video', gif: true, media: { base64, mimetype: 'video/mp4' } }],
    ['audioMessage', { type: 'audio', ptt: true, media: { base64, mimetype: 'audio/ogg; codecs=opus' } }],
    ['documentMessage', { type: 'document', filename: 'A.pdf', media: { base64, mimetype: 'application/pdf' } }],
    ['stickerMessage', { type: 'sticker', media: { base64, mimetype: 'image/webp' } }],
  ] as const)('%s, with its file', async (field, content) => {
    const message = await receive(content);
    expect(message.message?.[field]).toMatchObject({ mimetype: content.media.mimetype });
    expect(sha256(await download(message))).toBe(sha256(bytes));
    const shown = (await simulator.messages(phone)).at(-1);
    expect(shown?.content).toMatchObject({ type: content.type, media: { size: bytes.length, sha256: sha256(bytes) } });
  });

  it('a document with a caption, and a large one that is made up', async () => {
    const media = { size: 20_000_000, mimetype: 'application/zip' };
    const message = await receive({ type: 'document', filename: 'Large.zip', caption: 'All', media });
    expect(normalizeMessageContent(message.message)?.documentMessage).toMatchObject({
      fileName: 'Large.zip',
      caption: 'All',
    });
    expect(await download(message)).toHaveLength(20_000_000);
  });

  it('a place, contact cards and a poll', async () => {
    const place = await receive({ type: 'location', latitude: 52.5, longitude: -13.4, name: 'Berlin' });
    expect(place.message?.locationMessage).toMatchObject({
      degreesLatitude: 52.5,
      degreesLongitude: -13.4,
      name: 'Berlin',
    });
    const cards = ['Ann; Sister', 'Bob'].map((name) => ({ name, phone: other, email: 'a@example.com' }));
    const card = await receive({ type: 'contact', contacts: cards.slice(0, 1) });
    expect(card.message?.contactMessage?.vcard).toContain(`waid=${other}:+${other}`);
    const both = await receive({ type: 'contact', contacts: cards });
    expect(both.message?.contactsArrayMessage?.contacts).toHaveLength(2);
    expect((await simulator.messages(phone)).at(-1)?.content).toEqual({ type: 'contact', contacts: cards });
    const poll = await receive({ type: 'poll', question: 'Well?', options: ['Yes', 'No'] });
    expect(poll.message?.pollCreationMessageV3).toMatchObject({ name: 'Well?', selectableOptionsCount: 1 });
    expect(poll.message?.messageContextInfo?.messageSecret).toHaveLength(32);
  });

  it('a text with mentions that answers another, with a preview', async () => {
    const { key } = await receive({ type: 'text', text: 'First' });
    const quoted = key.id ?? '';
    const linkPreview = { url: 'https://example.com', title: 'Example' };
    const message = await receive({ type: 'text', text: 'See @2', mentions: [other], quoted, linkPreview });
    const text = message.message?.extendedTextMessage;
    expect(text).toMatchObject({ text: 'See @2', matchedText: 'https://example.com', title: 'Example' });
    const [{ lid: otherLid }, { lid }] = await Promise.all([simulator.phone(other), simulator.phone(contact)]);
    expect(text?.contextInfo).toMatchObject({
      stanzaId: quoted,
      participant: `${lid}@lid`,
      quotedMessage: { conversation: 'First' },
      mentionedJid: [`${otherLid}@lid`],
    });
  });

  it('reactions to messages of both sides, and their removal', async () => {
    const mine = await client.socket.sendMessage(`${contact}@s.whatsapp.net`, { text: 'Like me' });
    await simulator.waitForMessages(contact, 1);
    const target = mine?.key.id ?? '';
    const liked = await receive({ type: 'reaction', target, emoji: '👍' });
    expect(liked.message?.reactionMessage).toMatchObject({ text: '👍', key: { id: target, fromMe: true } });
    const taken = await receive({ type: 'reaction', target, emoji: '' });
    expect(taken.message?.reactionMessage).toMatchObject({ text: '', key: { id: target, fromMe: true } });
    const { key } = await receive({ type: 'text', text: 'Their own' });
    const own = await receive({ type: 'reaction', target: key.id ?? '', emoji: '😀' });
    expect(own.message?.reactionMessage?.key).toMatchObject({ id: key.id, fromMe: false });
  });

  it('an edit and a revoke', async () => {
    const { key } = await receive({ type: 'text', text: 'Frist' });
    const target = key.id ?? '';
    await simulator.sendFromContact(contact, { to: phone, content: { type: 'edit', target, text: 'First' } });
    const edit = await until(() => changed.find((one) => one.key.id === target && one.update.message));
    expect(edit.update.message?.editedMessage?.message).toMatchObject({ conversation: 'First' });
    await simulator.sendFromContact(contact, { to: phone, content: { type: 'revoke', target } });
    const { REVOKE } = proto.WebMessageInfo.StubType;
    await until(() => changed.find((one) => one.key.id === target && one.update.messageStubType === REVOKE));
  });

  it('a vote in a poll of the client, encrypted', async () => {
    const values = ['Yes', 'No', 'Both'];
    const poll = await client.socket.sendMessage(`${contact}@s.whatsapp.net`, { poll: { name: '?', values } });
    const target = poll?.key.id ?? '';
    await until(async () => (await simulator.messages(contact)).find(({ id }) => id === target));
    const message = await receive({ type: 'vote', target, options: ['No', 'Both'] });
    const { pollCreationMessageKey, vote } = message.message?.pollUpdateMessage ?? {};
    expect(pollCreationMessageKey).toMatchObject({ id: target, fromMe: true });
    const [{ lid: me }, { lid: them }] = await Promise.all([simulator.phone(phone), simulator.phone(contact)]);
    const { selectedOptions } = decryptPollVote(vote ?? {}, {
      pollMsgId: target,
      pollEncKey: poll?.message?.messageContextInfo?.messageSecret ?? new Uint8Array(),
      pollCreatorJid: `${me}@lid`,
      voterJid: `${them}@lid`,
    });
    const hashes = selectedOptions?.map((hash) => Buffer.from(hash).toString('hex'));
    expect(hashes).toEqual(['No', 'Both'].map((option) => sha256(Buffer.from(option))));
    expect((await simulator.messages(phone)).at(-1)?.content).toEqual({
      type: 'vote',
      target,
      options: ['No', 'Both'],
    });
  });

  it('what the owner writes on the phone, of any kind', async () => {
    const media: GivenMedia = { base64, mimetype: 'image/png' };
    const { id } = await simulator.sendFromPhone(phone, { to: contact, content: { type: 'image', media } });
    const message = await until(() => came.find(({ key }) => key.id === id));
    expect(message.key.fromMe).toBe(true);
    expect(sha256(await download(message))).toBe(sha256(bytes));
  });

  it('files that are gone, corrupt or stall', async () => {
    const image = (fault: NonNullable<GivenMedia['fault']>) =>
      receive({ type: 'image', media: { base64, mimetype: 'image/png', fault } });
    await expect(download(await image('gone'))).rejects.toThrow('Failed to fetch');
    const gone = await image('gone');
    expect(sha256(await download(await client.socket.updateMediaMessage(gone)))).toBe(sha256(bytes));
    await expect(client.socket.updateMediaMessage(await image('lost'))).rejects.toThrow('NOT_FOUND');
    const corrupt = await download(await image('corrupt')).catch(() => bytes.subarray(1));
    expect(sha256(corrupt)).not.toBe(sha256(bytes));
    const { url } = (await image('stalled')).message?.imageMessage ?? {};
    const { options } = trusting(simulator.ca);
    const patience = new AbortController();
    const response = await fetch(url ?? '', { ...options, signal: patience.signal });
    expect(response.ok).toBe(true);
    // The answer has begun, and has no end.
    setTimeout(() => patience.abort(), 500);
    await expect(response.arrayBuffer()).rejects.toThrow('aborted');
  });

  it('the higher quality of a picture, as a part of the first message', async () => {
    const media: GivenMedia = { base64, mimetype: 'image/png' };
    const first = await receive({ type: 'image', media });
    const second = await receive({ type: 'image', media, replaces: first.key.id ?? '' });
    const { message: child } = second.message?.associatedChildMessage ?? {};
    expect(child?.imageMessage).toMatchObject({ mimetype: 'image/png' });
    expect(child?.messageContextInfo?.messageAssociation).toMatchObject({
      associationType: proto.MessageAssociation.AssociationType.HD_IMAGE_DUAL_UPLOAD,
      parentMessageKey: { id: first.key.id, fromMe: true },
    });
    expect(sha256(await download(second))).toBe(sha256(bytes));
  });

  it('kinds that people here do not know, and messages within others', async () => {
    const raw = await receive({
      type: 'raw',
      message: { liveLocationMessage: { degreesLatitude: 1, caption: 'Moving' } },
    });
    expect(raw.message?.liveLocationMessage).toMatchObject({ degreesLatitude: 1, caption: 'Moving' });
    for (const wrapping of ['ephemeral', 'viewOnce'] as const) {
      const content: Content = { type: 'image', media: { base64, mimetype: 'image/png' } };
      const { id } = await simulator.sendFromContact(contact, { to: phone, content, wrapping });
      const { message } = await until(() => came.find(({ key }) => key.id === id));
      expect(message?.[`${wrapping}Message`]?.message?.imageMessage).toMatchObject({ mimetype: 'image/png' });
      expect((await simulator.messages(phone)).at(-1)?.content).toMatchObject({ type: 'image' });
    }
  });

  it('nothing when the message in question is not on the phone', async () => {
    const content: Content = { type: 'reaction', target: 'NONE', emoji: '👍' };
    await expect(simulator.sendFromContact(contact, { to: phone, content })).rejects.toMatchObject({
      code: 'MESSAGE_UNKNOWN',
    });
  });
});
