import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ChatUpdate, Contact } from '@whiskeysockets/baileys';
import { simulatorControl, startSimulator, type Simulator } from './index.ts';
import { connect, type Client } from './testing/client.ts';
import { until } from './testing/until.ts';

const phone = '4915112345678';
const [ann, ben] = ['4915100000101', '4915100000102'];

describe('the state of an account', () => {
  let simulator: Simulator;
  let client: Client;
  let saved: Map<string, Partial<Contact>>;
  beforeEach(async () => {
    simulator = await startSimulator();
    saved = new Map();
  });
  afterEach(async () => {
    client.end();
    await simulator.stop();
  });

  const link = async (): Promise<void> => {
    const first = connect(simulator);
    await simulator.scan(phone, await first.qr);
    await first.closed;
    client = connect(simulator, first.credentials);
    const note = (contacts: readonly Partial<Contact>[]) =>
      contacts.forEach((contact) => saved.set(contact.id ?? '', contact));
    client.socket.ev.on('contacts.upsert', note);
    client.socket.ev.on('messaging-history.set', ({ contacts }) => note(contacts));
    await client.opened;
  };

  it('holds the address book, which reaches clients when they are linked, and when somebody is saved', async () => {
    const { lid } = await simulator.phone(ann);
    for (let at = 0; at < 110; at += 1)
      await simulator.saveName(phone, { contact: `4915100002${String(at).padStart(3, '0')}`, name: `Contact ${at}` });
    await simulator.saveName(phone, { contact: ann, name: 'Ann' });
    await link();
    await until(() => saved.size === 111);
    expect(saved.get(`${ann}@s.whatsapp.net`)).toMatchObject({ name: 'Ann', lid: `${lid}@lid` });
    await simulatorControl(simulator.control).saveName(phone, { contact: ben, name: 'Ben' });
    await simulator.saveName(phone, { contact: ann, name: 'Ann-Marie' });
    await until(() => saved.get(`${ann}@s.whatsapp.net`)?.name === 'Ann-Marie');
    expect(saved.get(`${ben}@s.whatsapp.net`)).toMatchObject({ name: 'Ben' });
    await expect(simulator.saveName(phone, { contact: ben, name: '' })).rejects.toMatchObject({ code: 'NAME_MISSING' });
  });

  it('holds marks of chats', async () => {
    const { lid } = await simulator.phone(ann);
    await simulator.saveName(phone, { contact: ann, name: 'Ann' });
    await link();
    // The client has read the whole state: later changes are reported one by one.
    await until(() => saved.size === 1);
    const marks: ChatUpdate[] = [];
    client.socket.ev.on('chats.update', (updates) => void marks.push(...updates));
    const id = `${lid}@lid`;
    const end = Date.UTC(2099, 0, 1);
    await simulator.markChat(phone, { chat: ann, read: false });
    await until(() => marks.some((one) => one.id === id && one.unreadCount === -1));
    await simulatorControl(simulator.control).markChat(phone, { chat: ann, archived: true });
    await until(() => marks.some((one) => one.id === id && one.archived === true));
    await simulator.markChat(phone, { chat: ann, pinned: true });
    await until(() => marks.some((one) => one.id === id && typeof one.pinned === 'number'));
    await simulator.markChat(phone, { chat: ann, mutedUntil: end });
    await until(() => marks.some((one) => one.id === id && Number(one.muteEndTime) === end));
    await expect(simulator.markChat(phone, { chat: ann, read: 1 as never })).rejects.toMatchObject({
      code: 'MARK_UNKNOWN',
    });
  });
});
