import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { sealsOf } from './seals.ts';

const [one, other] = ['a'.repeat(32), 'b'.repeat(32)];

describe('seals', () => {
  it('hold for the same place and content, and for nothing else', () => {
    const seals = sealsOf(one);
    const words = fc.tuple(fc.string(), fc.string());
    fc.assert(
      fc.property(words, words, ([place, content], [elsewhere, changed]) => {
        const seal = seals.of(place, content);
        const state = seals.stateOf(elsewhere, changed, seal);
        expect(seals.stateOf(place, content, seal)).toBe('holds');
        expect(state).toBe(place === elsewhere && content === changed ? 'holds' : 'wrong');
      }),
    );
    expect(seals.stateOf('a b', 'c', seals.of('a', 'b c'))).toBe('wrong');
  });

  it('are believed of former keys too, and are unknown where the key is', () => {
    const seal = sealsOf(one).of('place', 'content');
    expect(sealsOf(other, [one]).stateOf('place', 'content', seal)).toBe('holds');
    expect(sealsOf(other).stateOf('place', 'content', seal)).toBe('unknown');
  });

  it('are missing where there is none', () => {
    for (const nothing of [undefined, '', 7]) expect(sealsOf(one).stateOf('place', 'content', nothing)).toBe('missing');
  });

  it('are wrong when they are cut, lengthened or without their key', () => {
    const seals = sealsOf(one);
    const seal = seals.of('place', 'content');
    const [id] = seal.split('.');
    for (const forged of [seal.slice(0, -1), `${seal}AA`, `${id}.`, `${id}`])
      expect(seals.stateOf('place', 'content', forged)).toBe('wrong');
  });
});
