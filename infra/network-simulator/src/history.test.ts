import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { proto, type BaileysEventMap, type WAMessage, type WASocket } from '@whiskeysockets/baileys';
import { startSimulator, type PastPlan, type Simulator } from './index.ts';
import { connect, linked, type Client } from './testing/client.ts';
import { until } from './testing/until.ts';

const { ON_DEMAND } = proto.HistorySync.HistorySyncType;
const {
  COMPLETE_BUT_MORE_MESSAGES_REMAIN_ON_PRIMARY: MORE,
  COMPLETE_ON_DEMAND_SYNC_BUT_MORE_MSG_REMAIN_ON_PRIMARY: MORE_ON_DEMAND,
  COMPLETE_AND_NO_MORE_MESSAGE_REMAIN_ON_PRIMARY: NO_MORE,
} = proto.Conversation.EndOfHistoryTransferType;
const phone = '4915112345678';
const contacts = Array.from({ length: 20 }, (_, at) => `49151000001${String(at).padStart(2, '0')}`);

type Histories = {
  messages: WAMessage[];
  names: Map<string, string>;
  older: WAMessage[];
  /** Marks of the end of history, for each piece of a chat, in order. */
  ends: [chat: string, end: proto.Conversation.EndOfHistoryTransferType | undefined][];
};

function follow(socket: WASocket): Histories {
  const histories: Histories = { messages: [], names: new Map(), older: [], ends: [] };
  // The event itself leaves out chats that were in one before.
  const emit = socket.ev.emit.bind(socket.ev);
  socket.ev.emit = (event, data) => {
    if (event === 'messaging-history.set')
      for (const chat of (data as BaileysEventMap['messaging-history.set']).chats)
        histories.ends.push([chat.id ?? '', chat.endOfHistoryTransferType ?? undefined]);
    return emit(event, data);
  };
  socket.ev.on('messaging-history.set', ({ messages, contacts: people, syncType }) => {
    (syncType === ON_DEMAND ? histories.older : histories.messages).push(...messages);
    for (const { id, notify } of people) if (notify) histories.names.set(id, notify);
  });
  return histories;
}

describe('history', () => {
  let simulator: Simulator;
  let client: Client | undefined;
  beforeEach(async () => {
    simulator = await startSimulator();
  });
  afterEach(async () => {
    client?.end();
    await simulator.stop();
  });

  async function linkWithPast(
    plan: PastPlan,
  ): Promise<{ client: Client; came: Histories; chats: Record<string, number> }> {
    const chats = await simulator.givePast(phone, plan);
    const first = connect(simulator);
    await simulator.scan(phone, await first.qr);
    await first.closed;
    client = connect(simulator, first.credentials);
    const came = follow(client.socket);
    await client.opened;
    return { client, came, chats };
  }

  it.each(['message', 'host'] as const)('of 10,000 messages is handed over by %s, and sending goes on', async (via) => {
    await simulator.createPhone({ phone: contacts[0] ?? '', pushName: 'Ann' });
    const { client: linkedClient, came, chats } = await linkWithPast({ messages: 10_000, contacts, via });
    expect(Object.values(chats)).toEqual(contacts.map(() => 500));
    await linkedClient.socket.sendMessage(`${contacts[1]}@s.whatsapp.net`, { text: 'Meanwhile' });
    expect(await simulator.waitForMessages(contacts[1] ?? '', 1)).toMatchObject([{ text: 'Meanwhile' }]);
    await until(() => came.messages.length >= 10_000);
    expect(new Set(came.messages.map(({ key }) => key.id)).size).toBe(10_000);
    const { lid } = await simulator.phone(contacts[0] ?? '');
    const chat = came.messages.filter(({ key }) => key.remoteJid === `${lid}@lid`);
    expect(chat).toHaveLength(500);
    expect(came.ends.filter(([id]) => id === `${lid}@lid`)).toEqual([[`${lid}@lid`, NO_MORE]]);
    expect(chat.some(({ key }) => key.fromMe) && chat.some(({ key }) => !key.fromMe)).toBe(true);
    await until(() => came.names.get(`${contacts[0]}@s.whatsapp.net`) === 'Ann');
    const lids = linkedClient.socket.signalRepository.lidMapping;
    expect(await lids.getPNForLID(`${lid}@lid`)).toContain(contacts[0]);
  });

  it('is kept back on the phone until the client asks for older messages', async () => {
    const { client: linkedClient, came } = await linkWithPast({
      messages: 300,
      contacts: contacts.slice(0, 2),
      keptBack: 100,
    });
    await until(() => came.messages.length === 100);
    const { lid } = await simulator.phone(contacts[0] ?? '');
    const oldestOf = (messages: WAMessage[]) =>
      messages
        .filter(({ key }) => key.remoteJid === `${lid}@lid`)
        .toSorted((one, other) => Number(one.messageTimestamp) - Number(other.messageTimestamp))[0];
    const ask = async (count: number, messages: WAMessage[]) => {
      const oldest = oldestOf(messages);
      const known = came.older.length;
      await linkedClient.socket.fetchMessageHistory(count, oldest?.key ?? {}, Number(oldest?.messageTimestamp) * 1000);
      await until(() => came.older.length > known);
    };
    await ask(60, came.messages);
    expect(came.older).toHaveLength(60);
    await ask(60, came.older);
    expect(came.older).toHaveLength(100);
    expect(oldestOf(came.older)?.message?.conversation).toBe('Past message 1');
    const others = came.older.filter(({ key }) => key.remoteJid !== `${lid}@lid`);
    expect(others).toEqual([]);
    expect(came.ends.filter(([id]) => id === `${lid}@lid`).map(([, end]) => end)).toEqual([
      MORE,
      MORE_ON_DEMAND,
      NO_MORE,
    ]);
  });

  it('can be given to a client that is linked already', async () => {
    client = await linked(simulator, phone);
    const came = follow(client.socket);
    const { devices } = await simulator.phone(phone);
    expect(devices).toHaveLength(1);
    await until(async () => {
      await simulator.givePast(phone, { messages: 10, contacts: contacts.slice(0, 1) });
      return came.messages.length >= 10;
    });
    await expect(simulator.givePast(phone, { messages: 10, contacts: [] })).rejects.toMatchObject({
      code: 'CONTACTS_MISSING',
    });
  });
});
