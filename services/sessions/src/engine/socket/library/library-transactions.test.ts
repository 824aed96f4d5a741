import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { SessionDataStore } from '../../../session-data/session-data-store.ts';
import { openStore, sessionsFolder } from '../../../testing/engine-harness.ts';
import { libraryTransactions } from './adaptations.ts';
import { SignalState } from '../signal/signal-state.ts';

describe('transactions of the library', () => {
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
  const keysOf = async (profileId: string, epoch: number) =>
    libraryTransactions(new SignalState(await store.open(profileId, epoch)));

  it('run one after the other for a key, and may be entered again', async () => {
    const keys = await keysOf(randomUUID(), 1);
    const steps: string[] = [];
    const run = (name: string) =>
      keys.transaction(async () => {
        steps.push(`${name} in`);
        await keys.transaction(() => sleep(5), 'me');
        steps.push(`${name} out`);
      }, 'me');
    await Promise.all([run('one'), run('two')]);
    expect(steps).toEqual(['one in', 'one out', 'two in', 'two out']);
  });

  it('let the next one in after a failure', async () => {
    const keys = await keysOf(randomUUID(), 1);
    await expect(keys.transaction(() => Promise.reject(new Error('no')), 'me')).rejects.toThrow('no');
    expect(await keys.transaction(async () => 'yes', 'me')).toBe('yes');
  });

  it('keep what is set by work that nobody waited for', async () => {
    const profileId = randomUUID();
    const keys = await keysOf(profileId, 1);
    let late: Promise<unknown> = Promise.resolve();
    await keys.transaction(async () => {
      late = sleep(5).then(() => keys.set({ tctoken: { contact: { token: Buffer.alloc(0), senderTimestamp: 7 } } }));
    }, 'me');
    await late;
    const again = await keysOf(profileId, 2);
    expect(await again.get('tctoken', ['contact'])).toMatchObject({ contact: { senderTimestamp: 7 } });
  });
});
