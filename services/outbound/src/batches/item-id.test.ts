import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { itemMessageId } from './item-id.ts';

const batchId = '0198c0de-0000-7000-8000-00000000000a';
const createdAt = '2026-01-01T08:00:00.000Z';
const timed = { batchId, createdAt, timedIds: true } as const;

describe('ids of the messages of a batch', () => {
  it('are UUIDv7 of its time, in the order of the messages, the same whenever they are made', () => {
    const ids = Array.from({ length: 1000 }, (_, index) => itemMessageId(timed, index));
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(ids).size).toBe(1000);
    expect(ids).toEqual(ids.map((_, index) => itemMessageId(timed, index)));
    const time = Date.parse(createdAt).toString(16).padStart(12, '0');
    for (const id of ids) expect(id).toMatch(new RegExp(`^${time.slice(0, 8)}-${time.slice(8)}-7...-[89ab]...-.{12}$`));
  });
  it('are not those of another batch of the same moment', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.uuid(), fc.nat(999), (one, other, index) => {
        fc.pre(one !== other);
        expect(itemMessageId({ ...timed, batchId: one }, index)).not.toBe(
          itemMessageId({ ...timed, batchId: other }, index),
        );
      }),
    );
  });
  it('stay as they are for a batch that an earlier version has accepted', () =>
    expect(itemMessageId({ batchId, createdAt }, 0)).toBe('641214ea-0b25-5a73-9c97-dbfc0597bd3d'));
});
