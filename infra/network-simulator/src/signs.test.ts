import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { proto, type WAMessage, type WAPresence } from '@whiskeysockets/baileys';
import { startSimulator, type Simulator } from './index.ts';
import { linked, type Client } from './testing/client.ts';
import { until } from './testing/until.ts';

const { READ, PLAYED } = proto.WebMessageInfo.Status;
const phone = '4915112345678';
const jid = (number: string) => `${number}@s.whatsapp.net`;

describe('besides messages', () => {
  let simulator: Simulator;
  let client: Client;
  const came: WAMessage[] = [];
  const presences: [string, WAPresence | undefined][] = [];
  beforeAll(async () => {
    simulator = await startSimulator();
    client = await linked(simulator, phone);
    client.socket.ev.on('messages.upsert', ({ messages }) => came.push(...messages));
    client.socket.ev.on('presence.update', ({ id, presences: seen }) =>
      presences.push(...Object.values(seen).map((one): [string, WAPresence] => [id, one.lastKnownPresence])),
    );
  });
  afterAll(async () => {
    client.end();
    await simulator.stop();
  });

  const inUse = async (state: 'available' | 'unavailable'): Promise<void> => {
    client.socket.authState.creds.me = { ...client.socket.authState.creds.me, id: jid(phone), name: 'Me' };
    await client.socket.sendPresenceUpdate(state);
    await until(async () => (await simulator.phone(phone)).devices[0]?.presence === state);
  };

  it('typing and recording are seen by the contact', async () => {
    for (const state of ['composing', 'recording', 'paused'] as const)
      await client.socket.sendPresenceUpdate(state, jid('4915100000001'));
    const seen = await until(async () => {
      const all = await simulator.typing('4915100000001', { from: phone });
      return all.length === 3 && all;
    });
    expect(seen.map(({ state }) => state)).toEqual(['composing', 'recording', 'paused']);
    expect(await simulator.typing('4915100000001', { from: '4915100000002' })).toEqual([]);
  });

  it('typing and presence of the contact are seen by the client', async () => {
    const { lid } = await simulator.phone('4915100000003');
    await simulator.showTyping('4915100000003', { to: phone, state: 'composing' });
    await inUse('available');
    for (const state of ['composing', 'recording', 'paused'] as const)
      await simulator.showTyping('4915100000003', { to: phone, state });
    await until(() => presences.length === 3);
    // The library calls somebody who has stopped available.
    expect(presences).toEqual(['composing', 'recording', 'available'].map((state) => [`${lid}@lid`, state]));
    const seen = (state: WAPresence) =>
      until(() => presences.some(([id, told]) => id === jid('4915100000003') && told === state));
    await client.socket.presenceSubscribe(jid('4915100000003'));
    await seen('available');
    await simulator.showPresence('4915100000003', { state: 'unavailable', lastSeen: 1_700_000_000 });
    await seen('unavailable');
    await expect(simulator.showPresence('4915100000003', { state: 'x' as never })).rejects.toMatchObject({
      code: 'STATE_UNKNOWN',
    });
    await expect(simulator.showTyping('4915100000003', { to: phone, state: 'x' as never })).rejects.toMatchObject({
      code: 'STATE_UNKNOWN',
    });
  });

  it('it is known whether the client is in use', async () => {
    for (const state of ['available', 'unavailable'] as const) await inUse(state);
  });

  it('voice notes are reported as read, then as played', async () => {
    const audio = Buffer.alloc(1000);
    const sent = await client.socket.sendMessage(jid('4915100000004'), { audio, ptt: true, seconds: 1 });
    const id = sent?.key.id ?? '';
    await simulator.waitForMessages('4915100000004', 1);
    await simulator.read('4915100000004');
    await until(() => client.states(id).includes(READ));
    expect(await simulator.read('4915100000004', { ids: [id], played: true })).toEqual({ ids: [] });
    await until(() => client.states(id).includes(PLAYED));
  });

  it('names of contacts come with what they write', async () => {
    await simulator.createPhone({ phone: '4915100000005', pushName: 'Ann' });
    const { id } = await simulator.sendFromContact('4915100000005', { to: phone, text: 'Hi' });
    expect(await until(() => came.find(({ key }) => key.id === id))).toMatchObject({ pushName: 'Ann' });
  });

  it('a message is delivered as often as asked, under one id', async () => {
    const { id } = await simulator.sendFromContact('4915100000006', { to: phone, text: 'Twice', times: 2 });
    await until(() => came.filter(({ key }) => key.id === id).length === 2);
    expect(await simulator.messages(phone, { from: '4915100000006' })).toHaveLength(1);
  });

  it('the very same stanza can come twice; the library turns the second down', async () => {
    const { id } = await simulator.sendFromContact('4915100000008', { to: phone, text: 'Again', copies: 2 });
    await until(async () => (await simulator.written('4915100000008'))[0]?.rejected === '487');
    await until(() => came.some(({ key, message }) => key.id === id && message));
    expect(came.filter(({ key, message }) => key.id === id && message)).toHaveLength(1);
  });

  it('a storm of unreadable messages never becomes readable, and what follows it is', async () => {
    await simulator.sendFromContact('4915100000007', { to: phone, text: 'Before' });
    const { ids } = await simulator.storm('4915100000007', { to: phone, count: 5 });
    await until(async () => {
      const written = await simulator.written('4915100000007');
      return ids.every((id) => (written.find((one) => one.id === id)?.retries ?? 0) >= 2);
    });
    await simulator.sendFromContact('4915100000007', { to: phone, text: 'After' });
    await until(() => came.find(({ message }) => message?.conversation === 'After'));
    expect(came.filter(({ key, message }) => ids.includes(key.id ?? '') && message)).toEqual([]);
  });

  it('numbers are looked up many at a time, and the questions counted', async () => {
    const before = await simulator.statistics();
    const numbers = Array.from({ length: 30 }, (_, at) => `49152${String(at).padStart(8, '0')}`);
    for (const absent of numbers.slice(0, 10)) await simulator.configureContact(absent, { exists: false });
    const found = await client.socket.onWhatsApp(...numbers);
    expect(found?.map(({ jid: one }) => one)).toEqual(numbers.slice(10).map(jid));
    const after = await simulator.statistics();
    expect(after.numberQuestions - before.numberQuestions).toBe(1);
    expect(after.numbersAsked - before.numbersAsked).toBe(30);
  });
});
