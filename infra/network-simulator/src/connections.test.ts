import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DisconnectReason } from '@whiskeysockets/baileys';
import { simulatorControl, startSimulator, type Simulator } from './index.ts';
import { connect, linked, type Client } from './testing/client.ts';
import { until } from './testing/until.ts';

const phone = '4915112345678';
const contact = '4915100000001';
const jid = `${contact}@s.whatsapp.net`;

describe('connections', () => {
  let simulator: Simulator;
  let client: Client;
  beforeEach(async () => {
    simulator = await startSimulator();
    client = await linked(simulator, phone);
  });
  afterEach(async () => {
    client.end();
    await simulator.stop();
  });

  async function reconnect(): Promise<void> {
    client = connect(simulator, client.credentials);
    await client.opened;
  }

  it('leave messages waiting on the server while they are down, until the client confirms them', async () => {
    client.end();
    await until(async () => (await simulator.phone(phone)).devices[0]?.connected === false);
    for (const text of ['one', 'two', 'three']) await simulator.sendFromContact(contact, { to: phone, text });
    expect((await simulator.written(contact)).every(({ deliveredAt }) => deliveredAt === undefined)).toBe(true);
    await simulator.drop(phone, 'before-receipt');
    client = connect(simulator, client.credentials);
    await client.closed;
    expect((await simulator.phone(phone)).devices[0]?.waiting).toBeGreaterThanOrEqual(3);
    await reconnect();
    await until(async () => (await simulator.phone(phone)).devices[0]?.waiting === 0);
    // The library turns down what it had decrypted before the line broke.
    const [first, ...others] = await simulator.written(contact);
    expect(first).toMatchObject({ rejected: '487' });
    expect(others.every(({ deliveredAt, rejected }) => deliveredAt !== undefined || rejected === '487')).toBe(true);
  });

  it('lose the message when they break before it is taken', async () => {
    await simulator.drop(phone, 'before-stanza');
    await client.socket.sendMessage(jid, { text: 'Lost' }).catch(() => {});
    expect(await client.closed).toBe(DisconnectReason.connectionClosed);
    await reconnect();
    await client.socket.sendMessage(jid, { text: 'Arrived' });
    expect(await simulator.waitForMessages(contact, 1)).toMatchObject([{ text: 'Arrived' }]);
  });

  it('keep the message when they break before it is acknowledged, and a repeat shows nothing', async () => {
    await simulator.drop(phone, 'before-ack');
    await client.socket.sendMessage(jid, { text: 'Kept' }, { messageId: '3EB00000000000000001' }).catch(() => {});
    await client.closed;
    expect(await simulator.waitForMessages(contact, 1)).toMatchObject([{ text: 'Kept' }]);
    await reconnect();
    const ack = new Promise<{ attrs: Record<string, string> }>((resolve) =>
      client.socket.ws.on('CB:ack,class:message', resolve),
    );
    await client.socket.sendMessage(jid, { text: 'Kept' }, { messageId: '3EB00000000000000001' });
    expect((await ack).attrs).toMatchObject({ id: '3EB00000000000000001' });
    expect(await simulator.statistics()).toMatchObject({ stanzas: 2, shown: 1, duplicatesDropped: 1 });
  });

  it('break at once', async () => {
    await simulator.drop(phone);
    expect(await client.closed).toBe(DisconnectReason.connectionClosed);
  });

  it('end with 440 when another client takes their place', async () => {
    const other = connect(simulator, client.credentials);
    expect(await client.closed).toBe(DisconnectReason.connectionReplaced);
    await other.opened;
    await simulator.conflict(phone);
    expect(await other.closed).toBe(DisconnectReason.connectionReplaced);
  });

  it('end with 401 when the phone removes the device, and at the next login', async () => {
    await simulator.unlink(phone);
    expect(await client.closed).toBe(DisconnectReason.loggedOut);
    client = connect(simulator, client.credentials);
    expect(await client.closed).toBe(DisconnectReason.loggedOut);
  });

  it('end when the client logs out', async () => {
    await client.socket.logout();
    await until(async () => (await simulator.phone(phone)).devices.length === 0);
  });

  it('are refused with 405 when the client is too old', async () => {
    client.end();
    await simulator.configureNetwork({ clientVersionMinimum: [2, 3000, 2_000_000_000] });
    client = connect(simulator, client.credentials);
    expect(await client.closed).toBe(405);
    client = connect(simulator);
    expect(await client.closed).toBe(405);
    await simulator.configureNetwork({ clientVersionMinimum: [0, 0, 0] });
  });

  it('are refused with 503 while the network takes none', async () => {
    await simulator.configureNetwork({ acceptConnections: false });
    const response = await fetch(simulator.url.replace('ws:', 'http:'), {
      headers: { connection: 'upgrade', upgrade: 'websocket' },
    }).catch(() => undefined);
    expect(response?.status ?? 503).toBe(503);
  });

  it('can be controlled from another process', async () => {
    const control = simulatorControl(simulator.control);
    await control.sendFromContact(contact, { to: phone, text: 'Over HTTP' });
    await until(() => client.seen.find(({ text }) => text === 'Over HTTP'));
    await client.socket.sendMessage(jid, { text: 'Answer' });
    expect(await control.waitForMessages(contact, 1, undefined, phone)).toEqual(
      await simulator.messages(contact, { from: phone }),
    );
    await expect(control.waitForMessages(contact, 2, 10)).rejects.toMatchObject({ code: 'MESSAGES_MISSING' });
    await expect(control.configureContact(contact, { receipts: 5 } as never)).rejects.toMatchObject({
      code: 'SETTING_INVALID',
    });
    await expect(control.phone('none')).rejects.toMatchObject({ code: 'PHONE_INVALID' });
    expect(await control.statistics()).toMatchObject({ shown: 1, logins: 1 });
    const media = { base64: Buffer.alloc(2_000_000).toString('base64'), mimetype: 'video/mp4' };
    await control.sendFromContact(contact, { to: phone, content: { type: 'video', media } });
    expect((await control.messages(phone)).at(-1)?.content).toMatchObject({
      type: 'video',
      media: { size: 2_000_000 },
    });
    await control.showTyping(contact, { to: phone, state: 'composing' });
    expect(await control.typing(contact, { from: phone })).toEqual([]);
    expect((await control.storm(contact, { to: phone, count: 2 })).ids).toHaveLength(2);
    expect(await control.givePast(phone, { messages: 3, contacts: [contact] })).toEqual({ [contact]: 3 });
    await control.reset();
    expect(await client.closed).toBe(DisconnectReason.connectionClosed);
    expect(await control.statistics()).toMatchObject({ shown: 0, connections: 0 });
  });
});
