import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { counter } from './testing/counter.ts';
import { metadata, triedJournal } from './testing/tried-journal.ts';
import type { TriedJournal } from './testing/tried-journal.ts';

let journal: TriedJournal;
beforeAll(async () => {
  journal = await triedJournal();
});
afterAll(() => journal.end());

/** Runs the writer until it has acknowledged so many marks, and kills it. */
async function killAfter(count: number): Promise<string[]> {
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL('writer-process.child.ts', import.meta.url)), journal.url],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { PATH: process.env['PATH'] },
    },
  );
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    if (output.split('\n').length > count) child.kill('SIGKILL');
  });
  await once(child, 'close');
  return output.split('\n').slice(0, -1);
}

describe('a writer killed under load', () => {
  it('has stored everything that it acknowledged, and each command at most once', async () => {
    const acknowledged = await killAfter(1500);
    expect(acknowledged.length).toBeGreaterThanOrEqual(1500);
    const replica = journal.replica();
    const stored: string[] = [];
    for (let number = 0; number < 20; number += 1)
      stored.push(...(await replica.store.load(counter, `w${number}`)).state.marks);
    expect(new Set(stored).size).toBe(stored.length);
    const kept = new Set(stored);
    expect(acknowledged.filter((mark) => !kept.has(mark))).toEqual([]);

    const [mark = ''] = acknowledged;
    const writer = Number(mark.split(' ')[0]) % 20;
    const again = await replica.store.handle(
      counter,
      `w${writer}`,
      { type: 'CountTwice', by: 1 },
      { metadata, once: `once ${mark}` },
    );
    expect(again.outcome).toBe('nothing');
    await replica.close();
  });
});
