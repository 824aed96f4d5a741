import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { SessionData, SessionDataStore } from '../../../session-data/session-data-store.ts';
import { openStore, sessionsFolder } from '../../../testing/engine-harness.ts';
import type { Fact } from '../../engine.ts';
import { SignalState } from '../signal-state.ts';
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
  /** What is there after such a change and the next message, also for a process that starts anew. */
  const kept = async (action: 'add' | 'remove' | 'leave'): Promise<boolean[]> => {
    const state = new SignalState(data);
    const others = `${group}::100000000000621_1::0`;
    await state.set({ 'sender-key': { [key]: Buffer.from('old'), [others]: Buffer.from('theirs') } });
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
