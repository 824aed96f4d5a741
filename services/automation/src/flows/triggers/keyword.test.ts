import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Incoming } from '../../answerers/compiled.ts';
import { keywordTrigger } from './keyword.ts';

const matched = (keywords: readonly string[], text: string): string | undefined =>
  keywordTrigger(keywords)({ text } as Incoming)?.text;

describe('keywords', () => {
  it.each([
    ['price', 'What is the Price?', 'Price'],
    ['PRICE', 'price', 'price'],
    ['price', 'prices', undefined],
    ['price', 'pre-price', 'price'],
    ['price', 'repriced', undefined],
    ['price', '*price* _price_', 'price'],
    ['price', 'price.please', 'price'],
    ['how  much', 'So how\n much is it', 'how\n much'],
    ['how much', 'how muchness', undefined],
    ['how much', 'howmuch', undefined],
    ['can', "I can't", undefined],
    ['heure', 'à l’heure', 'heure'],
    ['1', '1', '1'],
    ['1', '1.', '1'],
    ['1', '1,000 or 3.1', undefined],
    ['cafe', 'café', undefined],
    ['café', 'CAFE\u0301', 'CAFÉ'],
    ['cafe', 'cafe\u0301', undefined],
    ['straße', 'STRASSE 7', 'STRASSE'],
    ['STRASSE', 'die Straße', 'Straße'],
    ['istanbul', 'İSTANBUL', 'İSTANBUL'],
    ['ΟΔΟΣ', 'η οδος μας', 'οδος'],
    ['цена', 'Какая ЦЕНА?', 'ЦЕНА'],
    ['цена', 'ценами', undefined],
    ['سعر', 'كم سعر هذا؟', 'سعر'],
    ['मूल्य', 'इसका मूल्य?', 'मूल्य'],
    ['क', 'की', undefined],
    ['가격', '가격 얼마', '가격'],
    ['价格', '请问价格多少', '价格'],
    ['ราคา', 'สินค้านี้ราคาเท่าไหร่', 'ราคา'],
    ['👍', 'yes 👍👍', '👍'],
    ['👍', 'yes 👍🏽', undefined],
    ['c++', 'I like C++!', 'C++'],
    ['?', 'what?', '?'],
  ])('%j in %j', (keyword, text, expected) => expect(matched([keyword], text)).toBe(expected));

  it('are tried in the order in which they are written', () => expect(matched(['b', 'a'], 'a b')).toBe('b'));

  const alphabets = ['abcxyzäöß', 'абвгдя', 'αβγδως', 'אבגד', 'ابتث', '가나다', 'ಕಖಗ'];
  const word = fc
    .constantFrom(...alphabets)
    .chain((letters) => fc.array(fc.constantFrom(...letters), { minLength: 1, maxLength: 6 }))
    .map((letters) => letters.join(''));
  const fold = (text: string): string => text.toUpperCase().toLowerCase().replaceAll('ς', 'σ');
  const inAnyCase = fc.tuple(word, fc.boolean()).map(([text, loud]) => (loud ? text.toUpperCase() : text));
  const between = fc.constantFrom(' ', ', ', '! ', '\n', ' – ', '(', '"', ' 🎉 ');

  it('are found where they stand as words, and nowhere else', () =>
    fc.assert(
      fc.property(fc.array(inAnyCase, { minLength: 1, maxLength: 8 }), between, word, (words, gap, keyword) => {
        const expected = words.find((one) => fold(one) === fold(keyword));
        expect(matched([keyword], words.join(gap))).toBe(expected?.normalize('NFC'));
      }),
    ));

  it('of several words are found in any script and case', () =>
    fc.assert(
      fc.property(word, word, word, fc.constantFrom(' ', '  ', '\n'), (before, one, other, gap) => {
        const text = `${before} ${one.toUpperCase()}${gap}${other}`;
        expect(matched([`${one} ${other}`], text)).toBeDefined();
      }),
    ));

  it('take any text', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (keyword, text) => {
        matched([keyword], text);
        matched([keyword], `${text} ${keyword} ${text}`);
      }),
    ));
});
