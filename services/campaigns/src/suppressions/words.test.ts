import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { byForm, mayBeWord, wordForm, wordIn } from './words.ts';

const list = [
  'STOP',
  'UNSUBSCRIBE',
  'BERHENTI',
  'PARAR',
  'BAJA',
  'اوقف',
  'СТОП',
  'やめて',
  'छोड़ो',
  'ΤΈΛΟΣ',
  'İPTAL',
  'STRAßE',
];
const words = byForm(list);
const found = (text: string): string | undefined => (mayBeWord(text) ? wordIn(text, words) : undefined);

const ignored = Array.from({ length: 0x1f_000 + 0x1000 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))
  .filter((char) => /[\p{Z}\p{P}\p{S}\p{Cc}\p{Cf}\ufe0f]/u.test(char));
const noise = fc.string({ unit: fc.constantFrom(...ignored), maxLength: 6 });
const cases = [(char: string) => char, (char: string) => char.toUpperCase(), (char: string) => char.toLowerCase()];
const word = fc.constantFrom(...list);

const written = word.chain((one) =>
  fc
    .tuple(
      noise,
      ...[...one].map((char) => fc.tuple(fc.constantFrom(...cases), noise).map(([as, after]) => as(char) + after)),
    )
    .map((parts) => ({ one, text: parts.join('') })),
);

describe('a word of the list', () => {
  it('is found whatever punctuation, symbols, blanks and cases it is written with', () =>
    fc.assert(fc.property(written, ({ one, text }) => expect(found(text)).toBe(one))));

  it('is not found in anything longer', () => {
    const more = fc.string({ unit: fc.constantFrom(...'abcXYZ09ßжд漢字يक'), minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(written, more, noise, ({ text }, further, between) => {
        expect(found(`${text}${between}${further}`)).toBeUndefined();
        expect(found(`${further}${between}${text}`)).toBeUndefined();
      }),
    );
  });

  it('is looked for in any text without a fault', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const one = found(text);
        expect(one === undefined || list.includes(one)).toBe(true);
        expect(wordForm(wordForm(text))).toBe(wordForm(text));
      }),
    ));

  it.each([
    ['stop.', 'STOP'],
    ['  S T O P !!! ', 'STOP'],
    ['"Stop" 🛑✋🏽', 'STOP'],
    ['ＳＴＯＰ', 'STOP'],
    ['ⓢⓣⓞⓟ', 'STOP'],
    ['STOP™', 'STOP'],
    ['stop´', 'STOP'],
    ['baja\u200b\n', 'BAJA'],
    ['iptal', 'İPTAL'],
    ['strasse', 'STRAßE'],
  ])('%j is %s', (text, one) => expect(found(text)).toBe(one));

  it.each(['', ' ', '🛑', 'stop it', 'please stop', 'nonstop', 'stop1', 'x'.repeat(70_000), 'stop '.repeat(2)])(
    '%j is none',
    (text) => expect(found(text)).toBeUndefined(),
  );
});
