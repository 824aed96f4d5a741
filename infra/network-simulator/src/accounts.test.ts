import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { proto } from '@whiskeysockets/baileys';
import { startSimulator, type Simulator } from './index.ts';
import { linked, type Client } from './testing/client.ts';
import { until } from './testing/until.ts';

const { DELIVERY_ACK, READ } = proto.WebMessageInfo.Status;
const [phone, otherPhone] = ['4915112345678', '4915187654321'];
const jid = (number: string) => `${number}@s.whatsapp.net`;

describe('linked accounts', () => {
  let simulator: Simulator;
  let client: Client;
  let other: Client;
  beforeAll(async () => {
    simulator = await startSimulator();
    client = await linked(simulator, phone);
    other = await linked(simulator, otherPhone);
  });
  afterAll(async () => {
    for (const one of [client, other]) one.end();
    await simulator.stop();
  });

  it('write to each other and confirm what they got', async () => {
    const sent = await client.socket.sendMessage(jid(otherPhone), { text: 'From client to client' });
    const id = sent?.key.id ?? '';
    const got = await until(() => other.seen.find((one) => one.id === id));
    expect(got).toMatchObject({ text: 'From client to client', fromMe: false });
    expect(await simulator.waitForMessages(otherPhone, 1)).toMatchObject([{ id, from: phone }]);
    await until(() => client.states(id).includes(DELIVERY_ACK));
    await other.socket.readMessages([{ remoteJid: got.chat, id, fromMe: false }]);
    await until(() => client.states(id).includes(READ));
    const answer = await other.socket.sendMessage(got.chat, { text: 'And back' });
    await until(() => client.seen.find((one) => one.id === answer?.key.id));
  });

  it('show what another device of the same account writes as their own', async () => {
    const second = await linked(simulator, phone);
    const sent = await second.socket.sendMessage(jid('4915100000001'), { text: 'From the second device' });
    const copy = await until(() => client.seen.find((one) => one.id === sent?.key.id));
    expect(copy).toMatchObject({ fromMe: true, chat: jid('4915100000001') });
    await simulator.sendFromContact('4915100000001', { to: phone, text: 'To both devices' });
    await until(() => [client, second].every(({ seen }) => seen.some(({ text }) => text === 'To both devices')));
    second.end();
  });

  it('are found by those who wrote to them before after they are linked anew', async () => {
    await simulator.unlink(otherPhone);
    await other.closed;
    other = await linked(simulator, otherPhone);
    const sent = await client.socket.sendMessage(jid(otherPhone), { text: 'Still there?' });
    await until(() => other.seen.find((one) => one.id === sent?.key.id));
  });

  it('are asked for more one-time keys when few are left', async () => {
    const [key] = [`${otherPhone}:2@s.whatsapp.net`];
    const ask = { tag: 'iq', attrs: { xmlns: 'encrypt', type: 'get', to: '@s.whatsapp.net' } };
    const users = Array.from({ length: 808 }, () => ({ tag: 'user', attrs: { jid: key } }));
    const notified = new Promise((resolve) => other.socket.ws.on('CB:notification,type:encrypt', resolve));
    await client.socket.query({ ...ask, content: [{ tag: 'key', attrs: {}, content: users }] });
    await notified;
    await until(async () => {
      const counted = await other.socket.query({ ...ask, content: [{ tag: 'count', attrs: {} }] });
      return Array.isArray(counted.content) && Number(counted.content[0]?.attrs['value']) > 4;
    });
  });
});
