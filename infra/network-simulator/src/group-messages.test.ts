import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { proto } from '@whiskeysockets/baileys';
import { startSimulator, type Simulator } from './index.ts';
import { connect, linked, type Client } from './testing/client.ts';
import { until } from './testing/until.ts';

const phone = '4915112345678';
const colleague = '4915187654321';
const [anna, ben, carla] = ['4915100000001', '4915100000002', '4915100000003'] as const;

describe('messages in groups', () => {
  let simulator: Simulator;
  let client: Client;
  let other: Client;
  let group: string;
  let sent = 0;
  beforeAll(async () => {
    simulator = await startSimulator();
    client = await linked(simulator, phone);
    other = await linked(simulator, colleague);
    const participants = [phone, colleague, anna, ben];
    group = (await simulator.createGroup({ owner: anna, subject: 'Choir', participants })).id;
  });
  afterAll(async () => {
    client.end();
    other.end();
    await simulator.stop();
  });

  async function send(text: string): Promise<string> {
    const messageId = `3EB0${String(sent++).padStart(18, '0')}`;
    client.sent.set(messageId, { conversation: text });
    await client.socket.sendMessage(group, { text }, { messageId });
    return messageId;
  }
  const shown = (reader: string, id: string) =>
    until(async () => (await simulator.messages(reader)).find((message) => message.id === id));
  const nothingWaits = (number: string) =>
    until(async () => (await simulator.phone(number)).devices.every(({ waiting }) => waiting === 0));

  it('are decrypted by every member, by phones and by linked devices', async () => {
    for (const text of ['One', 'Two', 'Three']) {
      const id = await send(text);
      for (const reader of [anna, ben, colleague, phone])
        expect(await shown(reader, id)).toMatchObject({ from: phone, to: group, text });
      expect(await until(() => other.seen.find((one) => one.id === id))).toMatchObject({ chat: group, text });
    }
    expect(await simulator.messages(carla)).toEqual([]);
  });

  it('arrive from members', async () => {
    for (const author of [anna, ben, anna]) {
      const { id } = await simulator.sendFromContact(author, { to: group, text: `From ${author}` });
      for (const one of [client, other])
        expect(await until(() => one.seen.find((seen) => seen.id === id))).toMatchObject({
          chat: group,
          fromMe: false,
          text: `From ${author}`,
          came: 'notify',
        });
      const [written] = (await simulator.written(author, { to: group })).filter((message) => message.id === id);
      expect(written).toMatchObject({ retries: 0 });
    }
    await nothingWaits(phone);
  });

  it('written on the own phone arrive as own ones', async () => {
    const { id } = await simulator.sendFromPhone(phone, { to: group, text: 'From the phone' });
    expect(await until(() => client.seen.find((one) => one.id === id))).toMatchObject({ chat: group, fromMe: true });
  });

  it('are confirmed by each member', async () => {
    const receipts = new Set<string>();
    const note = (id: string, { userJid, receiptTimestamp, readTimestamp }: proto.IUserReceipt) => {
      if (receiptTimestamp) receipts.add(`${id} ${userJid} delivered`);
      if (readTimestamp) receipts.add(`${id} ${userJid} read`);
    };
    client.socket.ev.on('message-receipt.update', (some) => {
      for (const { key, receipt } of some) note(key.id ?? '', receipt);
    });
    // What comes within moments of a send is merged into the message itself.
    client.socket.ev.on('messages.upsert', ({ messages }) => {
      for (const { key, userReceipt } of messages) for (const receipt of userReceipt ?? []) note(key.id ?? '', receipt);
    });
    const id = await send('Who has it?');
    await shown(anna, id);
    await simulator.read(anna, { ids: [id] });
    const { lid } = await simulator.phone(anna);
    await until(() => receipts.has(`${id} ${lid}@lid read`));
    for (const reader of [ben, colleague]) {
      const { lid: address } = await simulator.phone(reader);
      await until(() => receipts.has(`${id} ${address}@lid delivered`));
    }
    await nothingWaits(phone);
  });

  it('are sent again to a member who could not read them', async () => {
    await simulator.configureContact(ben, { askRetry: 1 });
    const id = await send('Again');
    expect(await shown(ben, id)).toMatchObject({ text: 'Again' });
    expect((await simulator.messages(anna)).filter((message) => message.id === id)).toHaveLength(1);
  });

  it('that the client can not decrypt are sent to it again', async () => {
    const { id } = await simulator.sendFromContact(ben, { to: group, text: 'Legible now', unreadable: true });
    await until(() => client.seen.find((one) => one.id === id));
    const [written] = (await simulator.written(ben, { to: group })).filter((message) => message.id === id);
    expect(written?.retries).toBeGreaterThan(0);
    await nothingWaits(phone);
  });

  it('carry reactions and files', async () => {
    const { id } = await simulator.sendFromContact(anna, { to: group, text: 'Nice?' });
    const { lid } = await simulator.phone(anna);
    await until(() => client.seen.find((one) => one.id === id));
    const key = { remoteJid: group, id, fromMe: false, participant: `${lid}@lid` };
    await client.socket.sendMessage(group, { react: { text: '👍', key } });
    await until(async () => (await simulator.messages(anna)).find((one) => one.content.type === 'reaction'));
    await client.socket.sendMessage(group, { image: Buffer.from('picture'), caption: 'Look', jpegThumbnail: '' });
    const image = await until(async () => (await simulator.messages(ben)).find((one) => one.content.type === 'image'));
    expect(image).toMatchObject({ to: group, content: { caption: 'Look', media: { size: 7 } } });
  });

  it('reach who is new and no longer who is gone', async () => {
    await simulator.changeGroup(group, { by: anna, add: [carla], remove: [ben] });
    const id = await send('Welcome');
    expect(await shown(carla, id)).toMatchObject({ text: 'Welcome' });
    expect((await simulator.messages(ben)).some((message) => message.id === id)).toBe(false);
    const answer = await simulator.sendFromContact(carla, { to: group, text: 'Thanks' });
    await until(() => client.seen.find((one) => one.id === answer.id));
    const later = await simulator.sendFromContact(anna, { to: group, text: 'With a new key' });
    await until(() => client.seen.find((one) => one.id === later.id));
    await expect(simulator.sendFromContact(ben, { to: group, text: 'Still here?' })).rejects.toMatchObject({
      code: 'NOT_A_MEMBER',
    });
  });

  it('wait for members who are away', async () => {
    await simulator.drop(colleague);
    await other.closed;
    const { id } = await simulator.sendFromContact(anna, { to: group, text: 'While away' });
    await until(async () => ((await simulator.phone(colleague)).devices[0]?.waiting ?? 0) > 0);
    expect(other.seen.some((one) => one.id === id)).toBe(false);
    other = connect(simulator, other.credentials);
    expect(await until(() => other.seen.find((one) => one.id === id))).toMatchObject({
      chat: group,
      text: 'While away',
      came: 'append',
    });
    await nothingWaits(colleague);
  });
});
