import { expect, it } from '@jest/globals';
import { until } from '../testing/engine-harness.ts';
import type { Held } from './holder.ts';
import { Wave } from './wave.ts';

it('connects in order, one after the other, but not what has been let go or comes after a stop', async () => {
  const connected: string[] = [];
  const held = (name: string, isLeft = false): Held =>
    ({ isLeft, isResting: false, connection: { connect: async () => void connected.push(name) } }) as unknown as Held;
  const wave = new Wave(100);
  for (const one of [held('first'), held('left', true), held('second')]) wave.add(one);
  await until(() => connected.length === 2);
  wave.add(held('third'));
  await until(() => connected.length === 3);
  for (const name of ['a', 'b', 'c']) wave.add(held(name));
  wave.stop();
  wave.add(held('after'));
  await until(() => connected.includes('after'));
  expect(connected.slice(0, 3)).toEqual(['first', 'second', 'third']);
  expect(connected.at(-1)).toBe('after');
  expect(connected).not.toContain('c');
});
