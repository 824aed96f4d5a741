import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { bounded } from './bounded.ts';

/** Size of a record of Kafka, less what stands around the content. */
const mostBytes = 900_000;
const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

describe('a bounded text', () => {
  it('is unchanged as long as its length is usual', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'grapheme' }), (written) => expect(bounded(written)).toEqual(written)),
    );
  });

  it.each<[string, unknown]>([
    ['one text', 'x'.repeat(3_000_000)],
    ['text that is long as JSON', { text: '\u0001'.repeat(200_000), caption: '\u0001'.repeat(200_000) }],
    [
      'many texts',
      { contacts: Array.from({ length: 5_000 }, () => ({ name: 'é'.repeat(10_000), phone: '1'.repeat(5_000) })) },
    ],
    ['many empty things', { options: Array(1_000_000).fill('') }],
  ])('fits into a record: %s', (_, written) => {
    expect(bytesOf(bounded(written))).toBeLessThan(mostBytes);
  });

  it('keeps 65,536 units of a text, and no half of a character', () => {
    expect(bounded('x'.repeat(70_000))).toHaveLength(65_536);
    expect(bounded(`${'x'.repeat(65_535)}😀`).at(-1)).toBe('\ufffd');
  });
});
