import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BufferJSON } from '@whiskeysockets/baileys';
import type { SessionData, SessionDataStore } from '../../../session-data/session-data-store.ts';
import { openStore, sessionsFolder } from '../../../testing/engine-harness.ts';
import type { Fact } from '../../engine.ts';
import { SignalState } from '../signal/signal-state.ts';
import {
  GroupCipher,
  GroupSessionBuilder,
  SenderKeyDistributionMessage,
  SenderKeyName,
  SenderKeyRecord,
} from '@whiskeysockets/baileys/lib/Signal/Group/index.js';
import { renewSenderKey, senderKeyChanges } from './sender-key.ts';

describe('the key with which a device writes to a group', () => {
  const group = '120363000000000051@g.us';
  const me = { id: '4915120000620:7@s.whatsapp.net', lid: '100000000000620:7@lid' };
  const key = `${group}::100000000000620_1::7`;
  let folder: Awaited<ReturnType<typeof sessionsFolder>>;
  let store: SessionDataStore;
  let data: SessionData;
  beforeAll(async () => {
    folder = await sessionsFolder();
    store = await openStore(folder.directory);
    data = await store.open(randomUUID(), 1);
  });
  afterAll(async () => {
    await store.close();
    await folder.remove();
  });

  const participants = (action: 'add' | 'remove' | 'leave'): readonly Fact[] => [
    { kind: 'participants', data: { id: group, at: '2026-01-01T00:00:00.000Z', action, participants: [] } },
  ];
  /** Whether each key is there after such a change and the next message, also for a process that starts anew. */
  const kept = async (action: 'add' | 'remove' | 'leave'): Promise<boolean[]> => {
    const state = new SignalState(data);
    const others = `${group}::100000000000621_1::0`;
    await state.set({ 'sender-key': { [key]: Buffer.from('[]'), [others]: Buffer.from('[]') } });
    await state.set({ 'sender-key-memory': { [group]: { device: true } } });
    await data.commit(senderKeyChanges(group, participants(action), state));
    const anew = new SignalState(data);
    await renewSenderKey(group, anew, me);
    const keys = await anew.get('sender-key', [key, others]);
    return [key in keys, others in keys, group in (await anew.get('sender-key-memory', [group]))];
  };

  it('is another one once somebody has gone, and nobody is taken to have it', async () => {
    expect(await kept('remove')).toEqual([false, true, false]);
    expect(await kept('leave')).toEqual([false, true, false]);
  });

  it('is the same when somebody has come', async () => {
    expect(await kept('add')).toEqual([true, true, true]);
  });
});

describe('the keys of others in a group', () => {
  const name = new SenderKeyName('120363000000000052@g.us', { id: '1', deviceId: 0, toString: () => '1.0' });
  let folder: Awaited<ReturnType<typeof sessionsFolder>>;
  let store: SessionDataStore;
  beforeAll(async () => {
    folder = await sessionsFolder();
    store = await openStore(folder.directory);
  });
  afterAll(async () => {
    await store.close();
    await folder.remove();
  });

  /** A writer, and the key as it may be told to anybody at any time. */
  const author = () => {
    const record = new SenderKeyRecord();
    const storage = { loadSenderKey: async () => record, storeSenderKey: async () => undefined };
    const told = async () => (await new GroupSessionBuilder(storage).create(name)).serialize();
    return {
      told,
      skip: (messages: number) => {
        const state = record.getSenderKeyState();
        for (let skipped = 0; skipped < messages; skipped += 1)
          state?.setSenderChainKey(state.getSenderChainKey().getNext());
      },
      write: async (text: string) => new GroupCipher(storage, name).encrypt(Buffer.from(text)),
    };
  };
  /** The library's own store of keys over the session data; `form` is how they are written down. */
  const reader = (data: SessionData, form: 'ours' | "the library's" = 'ours') => {
    const id = name.toString();
    const storage = {
      loadSenderKey: async () => {
        const { [id]: key } = await new SignalState(data).get<Uint8Array>('sender-key', [id]);
        return key === undefined ? new SenderKeyRecord() : SenderKeyRecord.deserialize(key);
      },
      storeSenderKey: async (_: SenderKeyName, record: SenderKeyRecord) => {
        const bytes = Buffer.from(JSON.stringify(record.serialize()));
        if (form === 'ours') return new SignalState(data).set({ 'sender-key': { [id]: bytes } });
        const value = Buffer.from(JSON.stringify(bytes, BufferJSON.replacer));
        await data.commit([{ table: 'signal', id: `sender-key/${id}`, value }]);
      },
    };
    return {
      learn: async (key: Uint8Array) =>
        new GroupSessionBuilder(storage).process(name, new SenderKeyDistributionMessage(null, null, null, null, key)),
      read: async (message: Uint8Array) => (await new GroupCipher(storage, name).decrypt(message)).toString(),
    };
  };

  it.each(['ours', "the library's"] as const)(
    'of skipped messages are read as they were written in %s form',
    async (form) => {
      const data = await store.open(randomUUID(), 1);
      const { told, write } = author();
      const before = reader(data, form);
      await before.learn(await told());
      const messages = [await write('one'), await write('two'), await write('three'), await write('four')];
      expect(await before.read(messages[2] as Uint8Array)).toBe('three');
      const now = reader(data);
      expect(await now.read(messages[1] as Uint8Array)).toBe('two');
      expect(await now.read(messages[3] as Uint8Array)).toBe('four');
      expect(await now.read(messages[0] as Uint8Array)).toBe('one');
      await expect(now.read(messages[0] as Uint8Array)).rejects.toThrow('old counter');
    },
  );

  it('leave nothing behind unreadable when they are told again, however often', async () => {
    const data = await store.open(randomUUID(), 1);
    const { told, write } = author();
    const { learn, read } = reader(data);
    await learn(await told());
    const backlog: Uint8Array[] = [];
    for (let number = 0; number < 12; number += 1) backlog.push(await write(`${number}`));
    for (let times = 0; times < 7; times += 1) await learn(await told());
    for (const [number, message] of backlog.entries()) expect(await read(message)).toBe(`${number}`);
  });

  it('that were told anew are followed when the old ones lie too far behind', async () => {
    const data = await store.open(randomUUID(), 1);
    const { told, write, skip } = author();
    const { learn, read } = reader(data);
    await learn(await told());
    skip(2_010);
    await learn(await told());
    expect(await read(await write('now'))).toBe('now');
  });
});
