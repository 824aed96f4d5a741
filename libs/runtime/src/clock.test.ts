import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { fileClock, moveFileClock, testClock } from './test-clock.ts';

describe('a test clock', () => {
  it('calls back at once when it jumps past the time', async () => {
    const clock = testClock(1_000_000);
    const woken = clock.sleep(3_600_000);
    clock.advance(3_600_000);
    await woken;
    expect(clock.now()).toBeGreaterThanOrEqual(4_600_000);
  });

  it('does not call back once cancelled', async () => {
    const clock = testClock();
    let called = false;
    const cancel = clock.at(clock.now() + 1000, () => (called = true));
    cancel();
    clock.advance(2000);
    await clock.sleep(1);
    expect(called).toBe(false);
  });

  it('rejects a sleep with the reason of the abort', async () => {
    const aborter = new AbortController();
    const sleeping = testClock().sleep(60_000, aborter.signal);
    aborter.abort(new Error('stopped'));
    await expect(sleeping).rejects.toThrow('stopped');
  });
});

it('a clock on a file follows it', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'clock-')), 'offset');
  moveFileClock(path, 0);
  const clock = fileClock(path);
  const woken = clock.sleep(86_400_000);
  moveFileClock(path, 86_400_001);
  await woken;
  clock.close();
  expect(clock.now()).toBeGreaterThan(Date.now() + 86_000_000);
});
