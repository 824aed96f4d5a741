import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { proto } from '@whiskeysockets/baileys';
import { startSimulator, type Simulator } from './index.ts';
import { linked, type Client } from './testing/client.ts';
import { until } from './testing/until.ts';

const { DELIVERY_ACK, READ } = proto.WebMessageInfo.Status;
const phone = '4915112345678';
const jid = (number: string) => `${number}@s.whatsapp.net`;

describe('messages', () => {
  let simulator: Simulator;
  let client: Client;
  let sent = 0;
  beforeAll(async () => {
    simulator = await startSimulator();
    client = await linked(simulator, phone);
  });
  afterAll(async () => {
    client.end();
    await simulator.stop();
  });

  async function send(
    contact: string,
    text: string,
    messageId = `3EB0${String(sent++).padStart(18, '0')}`,
  ): Promise<string> {
    client.sent.set(messageId, { conversation: text });
    await client.socket.sendMessage(jid(contact), { text }, { messageId });
    return messageId;
  }

  it('are decrypted by the contact, shown on the phone too, and reported as delivered', async () => {
    const id = await send('4915100000001', 'Hello');
    const shown = await simulator.waitForMessages('4915100000001', 1);
    expect(shown).toMatchObject([{ id, from: phone, to: '4915100000001', text: 'Hello' }]);
    expect(await simulator.waitForMessages(phone, 1)).toMatchObject([
      { id, from: phone, to: '4915100000001', text: 'Hello' },
    ]);
    await until(() => client.states(id).includes(DELIVERY_ACK));
    expect(client.states(id)).not.toContain(READ);
  });

  it('are reported as read when the contact reads them', async () => {
    const id = await send('4915100000002', 'Read me');
    await simulator.waitForMessages('4915100000002', 1);
    expect(await simulator.read('4915100000002')).toEqual({ ids: [id] });
    await until(() => client.states(id).includes(READ));
  });

  it('arrive from a contact, under its LID or its number', async () => {
    const one = await simulator.sendFromContact('4915100000003', { to: phone, text: 'By LID' });
    const { lid } = await simulator.phone('4915100000003');
    const first = await until(() => client.seen.find(({ id }) => id === one.id));
    expect(first).toMatchObject({
      chat: `${lid}@lid`,
      alternative: jid('4915100000003'),
      text: 'By LID',
      came: 'notify',
    });
    await simulator.configureContact('4915100000003', { addressing: 'phone' });
    const two = await simulator.sendFromContact('4915100000003', { to: phone, text: 'By number' });
    const second = await until(() => client.seen.find(({ id }) => id === two.id));
    expect(second).toMatchObject({ chat: jid('4915100000003'), alternative: `${lid}@lid`, text: 'By number' });
    await until(async () => (await simulator.written('4915100000003')).every((message) => message.deliveredAt));
  });

  it('go back and forth', async () => {
    for (let round = 0; round < 5; round += 1) {
      await send('4915100000004', `out ${round}`);
      await simulator.waitForMessages('4915100000004', round + 1);
      await simulator.sendFromContact('4915100000004', { to: phone, text: `in ${round}` });
      await until(() => client.seen.find(({ text }) => text === `in ${round}`));
    }
  });

  it('are reported to the contact as read when the client reads them', async () => {
    const { id } = await simulator.sendFromContact('4915100000005', { to: phone, text: 'Are you there?' });
    const message = await until(() => client.seen.find((one) => one.id === id));
    await client.socket.readMessages([{ remoteJid: message.chat, id, fromMe: false }]);
    await until(async () => (await simulator.written('4915100000005'))[0]?.readAt);
  });

  it('written on the phone itself arrive as own messages', async () => {
    const { id } = await simulator.sendFromPhone(phone, { to: '4915100000006', text: 'From the phone' });
    const own = await until(() => client.seen.find((one) => one.id === id));
    expect(own).toMatchObject({ fromMe: true, text: 'From the phone', alternative: jid('4915100000006') });
    await until(() => client.states(id).includes(DELIVERY_ACK));
  });

  it('are shown once when the same id is sent twice', async () => {
    const id = await send('4915100000007', 'Once');
    await simulator.waitForMessages('4915100000007', 1);
    await send('4915100000007', 'Once', id);
    await send('4915100000007', 'Another');
    expect(await simulator.waitForMessages('4915100000007', 2)).toMatchObject([{ text: 'Once' }, { text: 'Another' }]);
    const { contacts } = await simulator.statistics();
    expect(contacts['4915100000007']).toMatchObject({ stanzas: 3, shown: 2, duplicatesDropped: 1 });
  });

  it('that a phone repeats arrive repeatedly, encrypted anew', async () => {
    const { id } = await simulator.sendFromContact('4915100000008', { to: phone, text: 'Thrice', times: 3 });
    await until(() => client.seen.filter((one) => one.id === id).length === 3);
  });

  it('are encrypted anew when the contact asks again', async () => {
    await simulator.configureContact('4915100000009', { askRetry: 1 });
    const id = await send('4915100000009', 'Again');
    expect(await simulator.waitForMessages('4915100000009', 1)).toMatchObject([{ id, text: 'Again' }]);
    const { contacts } = await simulator.statistics();
    expect(contacts['4915100000009']).toMatchObject({ stanzas: 2, shown: 1, retriesAsked: 1, duplicatesDropped: 0 });
  });

  it('that the client can not decrypt are sent again', async () => {
    const { id } = await simulator.sendFromContact('4915100000010', {
      to: phone,
      text: 'Legible now',
      unreadable: true,
    });
    await until(() => client.seen.find((one) => one.id === id));
    expect(await simulator.written('4915100000010')).toMatchObject([{ id, retries: 1 }]);
    await until(async () => (await simulator.phone(phone)).devices[0]?.waiting === 0);
  });

  it('are refused with the code that the contact is set to', async () => {
    await simulator.configureContact('4915100000011', { refuse: 463 });
    const id = await send('4915100000011', 'Stranger');
    await until(() => client.states(id).includes('463'));
    expect(await simulator.messages('4915100000011')).toEqual([]);
  });

  it('are decrypted only when somebody looks, if the network is set to that', async () => {
    await simulator.configureNetwork({ decrypt: 'lazy' });
    for (const text of ['one', 'two', 'three']) await send('4915100000014', text);
    await until(async () => (await simulator.statistics()).contacts['4915100000014']?.shown === 3);
    await simulator.sendFromContact('4915100000014', { to: phone, text: 'Answer' });
    await until(() => client.seen.find(({ text }) => text === 'Answer'));
    expect((await simulator.messages('4915100000014')).map(({ text }) => text)).toEqual(['one', 'two', 'three']);
    await simulator.configureNetwork({ decrypt: 'eager' });
    await send('4915100000014', 'four');
    expect(await simulator.waitForMessages('4915100000014', 4)).toMatchObject([{}, {}, {}, { text: 'four' }]);
  });

  it('find numbers that exist and leave out those that do not', async () => {
    await simulator.configureContact('4915100000012', { exists: false });
    expect(await client.socket.onWhatsApp('+4915100000012')).toEqual([]);
    expect(await client.socket.onWhatsApp('4915100000013')).toEqual([{ jid: jid('4915100000013'), exists: true }]);
  });
});
