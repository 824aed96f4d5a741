import { describe, expect, it } from '@jest/globals';
import { Readings } from './readings.ts';

describe('lists that are being read', () => {
  const saying = (text: string) => () => (list: string) => list + text;

  it('have what was told while their answer was under way, in its order, and nothing from before or after', async () => {
    const readings = new Readings<string, string>();
    const answer = Promise.withResolvers<string>();
    readings.tell(saying('before'));
    const read = readings.read('a', () => answer.promise);
    readings.tell(saying('1'));
    readings.tell(saying('2'));
    answer.resolve('page');
    expect(await read).toBe('page12');
    expect(await readings.read('a', () => Promise.resolve('page'))).toBe('page');
  });

  it('are told apart by their keys', async () => {
    const readings = new Readings<string, string>();
    const answers = [Promise.withResolvers<string>(), Promise.withResolvers<string>()] as const;
    const read = Promise.all(answers.map(({ promise }, index) => readings.read(`key ${index}`, () => promise)));
    readings.tell((key) => (list) => (key === 'key 1' ? `${list} changed` : list));
    expect([readings.has((key) => key === 'key 1'), readings.has((key) => key === 'key 2')]).toEqual([true, false]);
    for (const { resolve } of answers) resolve('page');
    expect(await read).toEqual(['page', 'page changed']);
  });

  it('have from another answer only what was asked for after them', async () => {
    const readings = new Readings<string, string>();
    const answers = [Promise.withResolvers<string>(), Promise.withResolvers<string>()] as const;
    const before = readings.read('a', () => answers[0].promise);
    const asOf = readings.moment();
    const after = readings.read('a', () => answers[1].promise);
    readings.tell(saying(' and the other answer'), asOf);
    for (const { resolve } of answers) resolve('page');
    expect(await Promise.all([before, after])).toEqual(['page and the other answer', 'page']);
  });

  it('know whether somebody has told them all', () => {
    const readings = new Readings<string, string>();
    const before = readings.moment();
    expect(readings.isLeftSince(before)).toBe(false);
    readings.leave();
    expect([readings.isLeftSince(before), readings.isLeftSince(readings.moment())]).toEqual([true, false]);
  });

  it('are forgotten when they failed', async () => {
    const readings = new Readings<string, string>();
    await expect(readings.read('a', () => Promise.reject(new Error('lost')))).rejects.toThrow('lost');
    expect(readings.has(() => true)).toBe(false);
  });
});
