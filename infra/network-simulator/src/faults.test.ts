import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DisconnectReason, proto } from '@whiskeysockets/baileys';
import { startSimulator, type Simulator } from './index.ts';
import { connect, linked, type Client } from './testing/client.ts';
import { until } from './testing/until.ts';

const { DELIVERY_ACK, READ } = proto.WebMessageInfo.Status;
const phone = '4915112345678';
const contact = '4915100000001';

describe('faults', () => {
  let simulator: Simulator;
  let client: Client;
  let acked: Map<string, number>;
  beforeEach(async () => {
    simulator = await startSimulator();
    client = await linked(simulator, phone);
    listen();
  });
  afterEach(async () => {
    client.end();
    await simulator.stop();
  });

  function listen(): void {
    acked = new Map();
    client.socket.ws.on('CB:ack,class:message', ({ attrs }: { attrs: { id: string } }) =>
      acked.set(attrs.id, Date.now()),
    );
  }

  async function send(text: string): Promise<string> {
    const sent = await client.socket.sendMessage(`${contact}@s.whatsapp.net`, { text });
    return sent?.key.id ?? '';
  }

  it('hold acknowledgements back while receipts arrive', async () => {
    await simulator.configureContact(contact, { holdAck: 3_600_000 });
    const held = await send('Held for an hour');
    await until(() => client.states(held).includes(DELIVERY_ACK));
    expect(acked.has(held)).toBe(false);
    await simulator.configureContact(contact, { holdAck: 300 });
    const begun = Date.now();
    const id = await send('Slow');
    expect((await until(() => acked.get(id))) - begun).toBeGreaterThanOrEqual(290);
    expect(acked.has(held)).toBe(false);
  });

  it('never acknowledge what was delivered', async () => {
    await simulator.configureContact(contact, { ackNever: true, receipts: 'none' });
    await send('Silence');
    await simulator.waitForMessages(contact, 1);
    await simulator.configureContact(contact, { ackNever: false });
    const id = await send('Sound');
    await until(() => acked.has(id));
    expect([...acked.keys()]).toEqual([id]);
    expect(await simulator.waitForMessages(contact, 2)).toHaveLength(2);
  });

  it('leave out receipts, or send them all', async () => {
    await simulator.configureContact(contact, { receipts: 'none' });
    const unseen = await send('No receipt');
    await simulator.waitForMessages(contact, 1);
    await simulator.configureContact(contact, { receipts: 'read' });
    const seen = await send('All receipts');
    await until(() => client.states(seen).includes(READ));
    expect(client.states(unseen)).not.toContain(DELIVERY_ACK);
  });

  it('break the connection at every third message, which is taken', async () => {
    await simulator.configureNetwork({ dropEveryNth: 3 });
    for (const text of ['one', 'two', 'three']) await send(text);
    expect(await client.closed).toBe(DisconnectReason.connectionClosed);
    expect(await simulator.waitForMessages(contact, 3)).toHaveLength(3);
    expect(await simulator.statistics()).toMatchObject({ connectionsDropped: 1, connections: 0 });
    client = connect(simulator, client.credentials);
    await client.opened;
  });

  it('delay everything that the server says', async () => {
    await simulator.configureNetwork({ latencyMs: 150, ackDelayMs: 100 });
    await send('Warm'); // looks the contact up
    const begun = Date.now();
    const id = await send('Far away');
    expect((await until(() => acked.get(id))) - begun).toBeGreaterThanOrEqual(240);
  });

  it('keep receipts for a client that is away', async () => {
    await simulator.configureContact(contact, { receipts: 'none' });
    const id = await send('Read while you were away');
    await simulator.waitForMessages(contact, 1);
    client.end();
    await until(async () => (await simulator.phone(phone)).devices[0]?.connected === false);
    await simulator.read(contact);
    client = connect(simulator, client.credentials);
    await until(() => client.states(id).includes(READ));
  });
});
