import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isolated, tamed } from './isolated.ts';

const marks = ['\u202A', '\u202B', '\u202C', '\u202D', '\u202E', '\u2066', '\u2067', '\u2068', '\u2069'];
const text = fc.array(fc.constantFrom('a', 'ب', ' ', ...marks)).map((parts) => parts.join(''));
const seen = (words: string): string => words.replace(/[\u202A-\u202E\u2066-\u2069]/g, '');

describe('a text that turns directions', () => {
  it('ends what it begins, and nothing else', () => {
    expect(tamed('a\u202Egnp')).toBe('a\u202Egnp');
    expect(tamed('a\u2069\u202C\u202Eb')).toBe('a\u202Eb');
    expect(tamed('\u2067\u202Ea\u2069b')).toBe('\u2067\u202Ea\u2069b');
    expect(isolated('\u202Ea')).toBe('\u2068\u202Ea\u202C\u2069');
  });

  it('stays as it is where it turns none', () => {
    expect([tamed('Grace (\u0628)'), isolated('Grace (\u0628)')]).toEqual(['Grace (\u0628)', 'Grace (\u0628)']);
  });

  it('shows the same letters, and is balanced whatever it holds', () =>
    fc.assert(
      fc.property(text, (words) => {
        const made = isolated(words);
        expect([seen(made), seen(tamed(words))]).toEqual([seen(words), seen(words)]);
        expect(tamed(tamed(words))).toBe(tamed(words));
        // Nothing is open behind it, and it ends nothing that is not its own.
        expect(tamed(`${made}\u2069\u202C`)).toBe(made);
      }),
    ));
});
