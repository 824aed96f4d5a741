import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { chunkLength, chunksOf } from './chunks.ts';

const bare = (text: string): string => text.replaceAll(/\s+/g, '');

/** Texts of any script, with paragraphs, lines, long words and odd characters. */
const texts = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 400 }),
      fc.string({ unit: 'binary', maxLength: 400 }),
      fc.lorem({ maxCount: 120 }),
      fc.constantFrom(
        '\n\n',
        '\r\n \r\n',
        '\n',
        ' ',
        '。',
        'สวัสดีครับทุกคน',
        '배송은 이틀 걸립니다. ',
        'التوصيل خلال يومين. ',
        '👩‍👩‍👧‍👦',
      ),
      fc
        .tuple(fc.constantFrom('a', '語', '\u0301', '😀', 'x y ', '\t'), fc.integer({ min: 1, max: 3_000 }))
        .map(([unit, times]) => unit.repeat(times)),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));

describe('chunks of a text', () => {
  it('hold all of it but white space, in order, and are neither empty nor too long', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const chunks = [...chunksOf(text)];
        expect(bare(chunks.join(''))).toBe(bare(text.toWellFormed()));
        for (const chunk of chunks) {
          expect(chunk.length).toBeLessThanOrEqual(chunkLength);
          expect(chunk).toBe(chunk.trim());
          expect(chunk).not.toBe('');
          expect(chunk.isWellFormed()).toBe(true);
        }
      }),
    );
  });

  it('are few: two that follow each other are longer than one may be', () => {
    fc.assert(
      fc.property(fc.array(fc.lorem({ maxCount: 60 }), { maxLength: 30 }), (paragraphs) => {
        const chunks = [...chunksOf(paragraphs.join('\n\n'))];
        chunks
          .slice(1)
          .forEach((chunk, before) =>
            expect(chunk.length + (chunks[before] ?? '').length).toBeGreaterThan(chunkLength - 2),
          );
      }),
    );
  });

  it.each([
    ['short paragraphs stay together', 'One.\n\nTwo.', ['One.\n\nTwo.']],
    [
      'a long paragraph ends with a sentence',
      `${'a'.repeat(600)}. ${'b'.repeat(600)}.`,
      [`${'a'.repeat(600)}.`, `${'b'.repeat(600)}.`],
    ],
    ['a long sentence ends with a word', `${'a'.repeat(600)} ${'b'.repeat(600)}`, ['a'.repeat(600), 'b'.repeat(600)]],
    [
      'a list ends with a line',
      `${'a. b '.repeat(120)}\n${'c. d '.repeat(120)}`,
      ['a. b '.repeat(120).trim(), 'c. d '.repeat(120).trim()],
    ],
    ['nothing is no chunk', ' \n\n \t', []],
  ])('%s', (_, text, chunks) => expect([...chunksOf(text)]).toEqual(chunks));

  it('of a million characters without any space come one by one', () => {
    const chunks = [...chunksOf('漢'.repeat(1_048_576))];
    expect(chunks.join('').length).toBe(1_048_576);
    expect(chunks.length).toBeGreaterThan(1_048);
  });
});
