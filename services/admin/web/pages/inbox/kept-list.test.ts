import { describe, expect, it } from '@jest/globals';
import { appended, patched, renewed, upserted, without, type Kept } from './kept-list.ts';

interface Item {
  readonly id: string;
  readonly at: number;
}
const item = (id: string, at: number): Item => ({ id, at });
const newer = (one: Item, other: Item): boolean => one.at > other.at;
const list = (items: readonly Item[], nextCursor: string | null = null): Kept<Item> => ({
  items,
  nextCursor,
  total: 10,
});
const ids = ({ items }: Kept<Item>): string => items.map(({ id }) => id).join('');
const abc = [item('c', 3), item('b', 2), item('a', 1)];

describe('a list that is kept', () => {
  it('takes what is new in its place, and counts it', () => {
    const kept = upserted(list(abc), item('x', 2.5), newer);
    expect([ids(kept), kept.total]).toEqual(['cxba', 11]);
  });

  it('moves what has changed, and does not count it twice', () => {
    const kept = upserted(list(abc), item('a', 9), newer);
    expect([ids(kept), kept.total]).toEqual(['acb', 10]);
  });

  it('puts what came last first where times are the same, and leaves it there', () => {
    const kept = upserted(upserted(list(abc), item('x', 3), newer), item('y', 3), newer);
    expect([ids(kept), ids(upserted(kept, item('c', 3), newer))]).toEqual(['yxcba', 'yxcba']);
  });

  it('leaves what is older than what is loaded to be loaded', () => {
    expect(ids(upserted(list(abc, 'more'), item('x', 0), newer))).toBe('cba');
    expect(ids(upserted(list(abc), item('x', 0), newer))).toBe('cbax');
  });

  it('changes and loses one by its id', () => {
    expect(patched(list(abc), 'b', (one) => ({ ...one, at: 7 })).items[1]).toEqual(item('b', 7));
    expect([ids(without(list(abc), 'b')), without(list(abc), 'b').total, without(list(abc), 'x').total]).toEqual([
      'ca',
      9,
      10,
    ]);
  });

  it('has each item once, whatever pages overlap', () => {
    const kept = appended(list(abc, 'more'), list([item('a', 1), item('z', 0)]));
    expect([ids(kept), kept.nextCursor]).toEqual(['cbaz', null]);
  });

  it('keeps what is older when its first page is read anew and meets it, else begins anew', () => {
    expect(ids(renewed(list([...abc, item('z', 0)], 'more'), list([item('d', 4), item('c', 3)], 'page2')))).toBe(
      'dcbaz',
    );
    expect(ids(renewed(list(abc), list([item('f', 9), item('e', 8)], 'page2')))).toBe('fe');
    expect(ids(renewed(undefined, list(abc)))).toBe('cba');
  });
});
