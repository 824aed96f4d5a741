import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { proto, type BinaryNode, type WAMessage } from '@whiskeysockets/baileys';
import { simulatorControl, startSimulator, type Content, type Simulator } from './index.ts';
import { unseal } from './messages/sealing.ts';
import { linked, type Client } from './testing/client.ts';
import { until } from './testing/until.ts';

const phone = '4915112345678';
const contact = '4915100000001';
const jid = (number: string) => `${number}@s.whatsapp.net`;

describe('stanzas that differ from ordinary ones', () => {
  let simulator: Simulator;
  let client: Client;
  let lid: string;
  const came: WAMessage[] = [];
  const stanzas: BinaryNode[] = [];
  beforeAll(async () => {
    simulator = await startSimulator();
    client = await linked(simulator, phone);
    client.socket.ev.on('messages.upsert', ({ messages }) => came.push(...messages));
    for (const tag of ['message', 'receipt', 'notification', 'call'])
      client.socket.ws.on(`CB:${tag}`, (stanza: BinaryNode) => stanzas.push(stanza));
    lid = `${(await simulator.phone(contact)).lid}@lid`;
  });
  afterAll(async () => {
    client.end();
    await simulator.stop();
  });

  const received = (id: string) => until(() => came.find(({ key }) => key.id === id));
  const stanza = (id: string) => until(() => stanzas.find(({ attrs }) => attrs['id'] === id));
  const send = (content: Content) => simulator.sendFromContact(contact, { to: phone, content });

  it('come with other attributes and without removed ones', async () => {
    const { id } = await simulator.sendFromContact(contact, {
      to: phone,
      text: 'Renamed',
      envelope: { notify: 'Somebody', sender_pn: null },
    });
    expect(await received(id)).toMatchObject({ pushName: 'Somebody', message: { conversation: 'Renamed' } });
    expect((await stanza(id)).attrs).not.toHaveProperty('sender_pn');
  });

  it('come from a broadcast list of the author, also when the client requests the message again', async () => {
    for (const unreadable of [false, true]) {
      const text = { to: phone, text: 'To all', broadcast: '1700000000', unreadable };
      const { id } = await simulator.sendFromContact(contact, text);
      const message = await until(() => came.find((one) => one.key.id === id && one.message));
      expect(message).toMatchObject({
        broadcast: true,
        key: { remoteJid: '1700000000@broadcast', participant: lid, remoteJidAlt: jid(contact) },
        message: { conversation: 'To all' },
      });
    }
    await until(async () => (await simulator.written(contact)).every(({ deliveredAt }) => deliveredAt));
  });

  it('come without the encrypted message', async () => {
    const { CIPHERTEXT } = proto.WebMessageInfo.StubType;
    for (const instead of [[], [{ tag: 'unavailable', attrs: {} }]]) {
      const { id } = await simulator.sendFromContact(contact, { to: phone, text: 'Elsewhere', instead });
      expect(await received(id)).toMatchObject({ messageStubType: CIPHERTEXT });
      expect((await stanza(id)).content ?? []).toEqual(instead);
    }
    const instead = [{ tag: 'unavailable', attrs: { type: 'view_once' } }];
    const { id } = await simulator.sendFromContact(contact, { to: phone, text: 'Once', instead });
    expect((await received(id)).key).toMatchObject({ isViewOnce: true });
    await until(async () => (await simulator.phone(phone)).devices[0]?.waiting === 0);
  });

  it('come without the encrypted message, and the phone sends the message when the client requests it', async () => {
    await simulator.configureContact(phone, { resendAfterMs: 0 });
    const { resendsAsked } = await simulator.statistics();
    const instead = [{ tag: 'unavailable', attrs: {} }];
    const { id } = await simulator.sendFromContact(contact, { to: phone, text: 'I saw your ad', instead });
    const messageKey = { remoteJid: lid, fromMe: false, id };
    await client.socket.sendPeerDataOperationMessage({
      placeholderMessageResendRequest: [{ messageKey }],
      peerDataOperationRequestType: proto.Message.PeerDataOperationRequestType.PLACEHOLDER_MESSAGE_RESEND,
    });
    const resent = await until(() => came.find((one) => one.key.id === id && one.message?.conversation));
    expect(resent.message).toMatchObject({ conversation: 'I saw your ad' });
    // The library requests it as well, after two seconds.
    expect((await simulator.statistics()).resendsAsked).toBeGreaterThan(resendsAsked);
  });

  it('come from the server as they are written', async () => {
    const control = simulatorControl(simulator.control);
    const attrs = { id: 'STANZA1', from: lid, type: 'read', t: '1700000000', recipient: jid(contact) };
    await control.deliverStanza(phone, { node: { tag: 'receipt', attrs } });
    expect(await stanza('STANZA1')).toEqual({ tag: 'receipt', attrs });
    const offer = { tag: 'offer', attrs: { 'call-id': 'C1', 'call-creator': lid }, content: [{ tag: 'audio' }] };
    const body = { tag: 'call', attrs: { id: 'STANZA2', from: lid, t: '1700000000' }, content: [offer] };
    const calls: string[] = [];
    client.socket.ev.on('call', ([call]) => calls.push(call?.id ?? ''));
    await simulator.deliverStanza(phone, { node: body });
    await until(() => calls.includes('C1'));
    const bytes = { tag: 'key', content: { base64: Buffer.from('bytes').toString('base64') } };
    const notification = { id: 'STANZA3', from: 's.whatsapp.net', type: 'unknown-here', t: '1700000000' };
    await control.deliverStanza(phone, { node: { tag: 'notification', attrs: notification, content: [bytes] } });
    expect((await stanza('STANZA3')).content).toMatchObject([{ tag: 'key', content: Buffer.from('bytes') }]);
    await until(async () => (await simulator.phone(phone)).devices[0]?.waiting === 0);
  });

  it('are refused if they cannot be encoded', async () => {
    const request = (path: string, body: object) =>
      fetch(`${simulator.control}/control/${path}`, { method: 'POST', body: JSON.stringify(body) });
    const to = phone;
    const refusals: [string, object, string][] = [
      [`phones/${phone}/stanza`, {}, 'NODE_INVALID'],
      [`phones/${phone}/stanza`, { node: { tag: 'receipt', attrs: { t: 17 } } }, 'NODE_INVALID'],
      [`phones/${phone}/stanza`, { node: { tag: 'receipt', content: 17 } }, 'NODE_INVALID'],
      ['phones/4915100000999/stanza', { node: { tag: 'receipt' } }, 'NOT_LINKED'],
      [`contacts/${contact}/send`, { to, text: 'A', envelope: { t: 17 } }, 'ENVELOPE_INVALID'],
      [`contacts/${contact}/send`, { to, text: 'A', instead: { tag: 'unavailable' } }, 'INSTEAD_INVALID'],
      [`contacts/${contact}/send`, { to, text: 'A', instead: [{ attrs: {} }] }, 'NODE_INVALID'],
      [`contacts/${contact}/send`, { to, text: 'A', broadcast: 'list' }, 'BROADCAST_INVALID'],
      ['alias', { 5511987654321: 'x' }, 'PHONE_INVALID'],
      ['alias', { 5511987654321: '5511987654321' }, 'ALIAS_INVALID'],
    ];
    for (const [path, body, code] of refusals) {
      const response = await request(path, body);
      expect([path, response.status, await response.json()]).toMatchObject([path, 422, { code }]);
    }
  });

  it('queries by number return the canonical address of an alias, and nobody is reached under it', async () => {
    await simulator.alias({ 5511987654321: '551187654321' });
    expect(await client.socket.onWhatsApp('5511987654321')).toEqual([{ jid: jid('551187654321'), exists: true }]);
    expect(await client.socket.onWhatsApp('551187654321')).toEqual([{ jid: jid('551187654321'), exists: true }]);
    expect(await client.socket.getUSyncDevices([jid('5511987654321')], false, false)).toEqual([]);
    const { id = '' } = (await client.socket.sendMessage(jid('551187654321'), { text: 'Hi' }))?.key ?? {};
    expect(await simulator.waitForMessages('551187654321', 1)).toMatchObject([{ id: String(id), text: 'Hi' }]);
  });

  it('messages can be read as the contact decrypted them, with the attributes of their stanza', async () => {
    const expiration = 86_400;
    const sent = await client.socket.sendMessage(
      jid(contact),
      { text: 'Raw', contextInfo: { expiration } },
      { messageId: '3EB0RAW' },
    );
    const shown = await until(async () => (await simulator.messages(contact)).find(({ id }) => id === sent?.key.id));
    expect(shown.raw).toMatchObject({ extendedTextMessage: { text: 'Raw', contextInfo: { expiration } } });
    expect(shown.attributes).toMatchObject({ id: '3EB0RAW', type: 'text' });
    const [remote] = (await simulatorControl(simulator.control).messages(contact)).filter(({ id }) => id === shown.id);
    expect(remote).toEqual(shown);
  });

  it('every new message has a secret, with which changes of it are encrypted', async () => {
    const { id } = await simulator.sendFromContact(contact, { to: phone, text: 'Before' });
    const { message } = await received(id);
    const secret = message?.messageContextInfo?.messageSecret ?? new Uint8Array();
    expect(secret).toHaveLength(32);
    const which = { target: id, author: lid, editor: lid, secret };

    const edit = await received((await send({ type: 'edit', target: id, text: 'After', encrypted: true })).id);
    const edited = edit.message?.secretEncryptedMessage;
    expect(edited).toMatchObject({ targetMessageKey: { id, fromMe: true } });
    expect(edited?.secretEncType).toBe(proto.Message.SecretEncryptedMessage.SecretEncType.MESSAGE_EDIT);
    const plain = unseal(edited ?? {}, { label: 'Message Edit', ...which }) ?? new Uint8Array();
    expect(proto.Message.decode(plain).protocolMessage).toMatchObject({
      key: { id },
      editedMessage: { conversation: 'After' },
    });

    const reaction = await received((await send({ type: 'reaction', target: id, emoji: '👍', encrypted: true })).id);
    const reacted = unseal(reaction.message?.encReactionMessage ?? {}, { label: 'Enc Reaction', ...which });
    expect(proto.Message.ReactionMessage.decode(reacted ?? new Uint8Array()).text).toBe('👍');

    await send({ type: 'comment', target: id, text: 'Well said' });
    await send({ type: 'eventResponse', target: id, response: 'MAYBE' });
    const shown = (await simulator.messages(phone)).map(({ content }) => content);
    expect(shown).toEqual(
      expect.arrayContaining([
        { type: 'edit', target: id, text: 'After' },
        { type: 'reaction', target: id, emoji: '👍' },
        { type: 'comment', target: id, text: 'Well said' },
        { type: 'eventResponse', target: id, response: 'MAYBE' },
      ]),
    );
    const plainText = await send({ type: 'raw', message: { conversation: 'No secret' } });
    await expect(send({ type: 'edit', target: plainText.id, text: 'Never', encrypted: true })).rejects.toMatchObject({
      code: 'SECRET_MISSING',
    });
  });
});
