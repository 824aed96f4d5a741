import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { openStore, sessionsFolder, until } from '../../testing/engine-harness.ts';
import { smallDisk } from '../../testing/small-disk.ts';
import { SessionDataUnavailable, type Change } from '../session-data-store.ts';
import { sessionDataSuite } from '../session-data.suite.ts';
import { DirectoryInUse } from './directory-lock.ts';

sessionDataSuite('session data in LMDB', async () => {
  const folder = await sessionsFolder();
  let store = await openStore(folder.directory);
  return {
    store,
    reopen: async () => {
      await store.close();
      store = await openStore(folder.directory);
      return store;
    },
    remove: async () => {
      await store.close();
      await folder.remove();
    },
  };
});

const put = (id: string, size: number): Change => ({ table: 'content', id, value: Buffer.alloc(size, 1) });

describe('the folder of session data', () => {
  it('is for its owner alone, and holds neither a contact nor a secret in plain', async () => {
    const folder = await sessionsFolder();
    const store = await openStore(folder.directory);
    const data = await store.open(randomUUID(), 1);
    await data.commit([{ table: 'signal', id: 'session/4915112345678.0', value: Buffer.from('very secret ratchet') }]);
    await store.close();
    const files = readdirSync(folder.directory);
    expect(statSync(folder.directory).mode & 0o777).toBe(0o700);
    for (const file of files) {
      expect(statSync(join(folder.directory, file)).mode & 0o777).toBe(0o600);
      const bytes = readFileSync(join(folder.directory, file)).toString('latin1');
      expect(bytes).not.toContain('4915112345678');
      expect(bytes).not.toContain('very secret');
    }
    await folder.remove();
  });

  it('is used by one process, and taken over from a dead one', async () => {
    const folder = await sessionsFolder();
    const store = await openStore(folder.directory);
    await expect(openStore(folder.directory)).rejects.toThrow(DirectoryInUse);
    await store.close();
    const other = fork('-e', [''], { execArgv: ['-e', ''] });
    await new Promise((resolve) => other.on('exit', resolve));
    writeFileSync(
      join(folder.directory, 'in-use.lock'),
      JSON.stringify({ token: 'x', pid: other.pid, started: '1', host: (await import('node:os')).hostname() }),
    );
    const next = await openStore(folder.directory);
    await next.close();
    await folder.remove();
  });

  it('on a full disk keeps what was committed, refuses the rest, and goes on when there is space', async () => {
    const folder = await sessionsFolder();
    const disk = join(folder.directory, 'disk');
    const small = smallDisk(disk);
    if (small === undefined) return;
    const store = await openStore(join(disk, 'sessions'));
    const profileId = randomUUID();
    const data = await store.open(profileId, 1);
    small.fill();
    let committed = 0;
    const fill = async (): Promise<void> => {
      for (; committed < 4_000; committed += 1) await data.commit([put(String(committed), 3_000)]);
    };
    await expect(fill()).rejects.toThrow(SessionDataUnavailable);
    expect(committed).toBeGreaterThan(10);
    await expect(data.commit([put('more', 1)])).rejects.toThrow(SessionDataUnavailable);
    small.empty();
    const again = await until(() => store.open(profileId, 2).catch(() => undefined));
    const [last, failed] = await again.read('content', [String(committed - 1), String(committed)]);
    expect([last?.length, failed]).toEqual([3_000, undefined]);
    await again.commit([put('more', 1)]);
    await store.close();
    small.remove();
    await folder.remove();
  });
});
