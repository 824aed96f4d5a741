import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Breakers } from './breakers.ts';

class Broken extends Error {}
class Said extends Error {}
class Resting extends Error {}

const threshold = 10;
const restMs = 5_000;
let asked: string[];
let changes: [key: string, isOpen: boolean][];
let breakers: Breakers;

beforeEach(() => {
  jest.useFakeTimers();
  [asked, changes] = [[], []];
  breakers = new Breakers({
    isNoFault: (error) => error instanceof Said,
    whenOpen: (restSeconds, key) => new Resting(`${key} rests ${restSeconds} s`),
    onChange: (key, isOpen) => void changes.push([key, isOpen]),
  });
});
afterEach(() => {
  breakers.stop();
  jest.useRealTimers();
});

const ask = (key: string, error?: Error): Promise<string> =>
  breakers.run(key, async () => {
    asked.push(key);
    if (error !== undefined) throw error;
    return 'well';
  });
async function fail(key: string, times: number, error: Error = new Broken()): Promise<void> {
  for (let count = 0; count < times; count += 1) await expect(ask(key, error)).rejects.toBe(error);
}
const openKeys = () => breakers.states.filter(({ isOpen }) => isOpen).map(({ key }) => key);

describe('breakers', () => {
  it('leave one alone that fails again and again, and nobody else', async () => {
    await fail('one', threshold);
    await expect(ask('one')).rejects.toThrow(new Resting('one rests 5 s'));
    expect(asked).toHaveLength(threshold);
    expect(await ask('other')).toBe('well');
    expect(openKeys()).toEqual(['one']);
    expect(changes).toEqual([['one', true]]);
  });

  it('ask once after the rest, and go on as before when that goes well', async () => {
    await fail('one', threshold);
    jest.advanceTimersByTime(restMs);
    await fail('one', 1);
    await expect(ask('one')).rejects.toThrow(Resting);
    jest.advanceTimersByTime(restMs);
    expect([await ask('one'), await ask('one')]).toEqual(['well', 'well']);
    expect(openKeys()).toEqual([]);
    expect(changes.at(-1)).toEqual(['one', false]);
  });

  it('take it for no fault that somebody says no, and for none that a few calls fail among many', async () => {
    await fail('one', 3 * threshold, new Said());
    for (let count = 0; count < threshold; count += 1) await ask('other');
    await fail('other', threshold - 1);
    expect([await ask('one'), await ask('other')]).toEqual(['well', 'well']);
    expect(changes).toEqual([]);
  });

  it('forget those that were not asked for long', async () => {
    await fail('one', 1);
    jest.advanceTimersByTime(61_000);
    await ask('other');
    expect(breakers.states.map(({ key }) => key)).toEqual(['other']);
  });
});
