import { expect, it } from '@jest/globals';
import { StateCache } from './decide-group.ts';
import type { KnownState } from './stream-type.ts';

const holding = (state: unknown): KnownState => ({ state, version: 1, subjects: new Set(['organization:1']) });

it('holds so many states, those used last', () => {
  const cache = new StateCache(2);
  for (const stream of ['a', 'b']) cache.set(stream, holding({}));
  cache.get('a');
  cache.set('c', holding({}));
  expect(['a', 'b', 'c'].map((stream) => cache.get(stream) !== undefined)).toEqual([true, false, true]);
});

it('holds so much, however few the states are', () => {
  const cache = new StateCache(1_000, 1_000_000);
  const large = { messages: Array.from({ length: 10 }, () => ({ text: 'x'.repeat(40_000) })) };
  for (let index = 0; index < 20; index += 1) cache.set(`large-${index}`, holding(large));
  const held = Array.from({ length: 20 }, (_, index) => cache.get(`large-${index}`)).filter((one) => one !== undefined);
  expect(held).toHaveLength(2);
  cache.set('larger than all', holding({ text: 'x'.repeat(2_000_000) }));
  expect(cache.get('larger than all')).toBeUndefined();
  expect(cache.get('large-19')).toBeDefined();
  // What was dropped and what was replaced weighs nothing any more.
  for (let turn = 0; turn < 10; turn += 1) cache.set('same', holding(large));
  cache.forget('organization:1');
  cache.set('other', { ...holding(large), subjects: new Set() });
  expect(cache.get('same')).toBeUndefined();
  expect(cache.get('other')?.state).toBe(large);
});
