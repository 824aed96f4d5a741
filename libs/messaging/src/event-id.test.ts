import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { v5 } from 'uuid';
import { comparePlaces, eventIdOf, sequenceOf } from './envelopes.ts';

const namespace = 'b1f6a3d0-f2a4-5e2b-9b8a-6d7f4c0e9a51';
const place = fc.record({
  generation: fc.nat(1000),
  transactionId: fc.bigInt(0n, 2n ** 63n),
  position: fc.bigInt(0n, 2n ** 62n),
});

const at = new Date('2026-01-01T00:00:00.000Z');
const entry = { stream: 's-1', version: 1, generation: 1, at };

describe('the id of an event', () => {
  it('is the UUID v5 of its schema, stream, version and kind', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(), (stream, version) => {
        expect(eventIdOf('outbound', { stream, version, generation: 1, at }, 'message.sent')).toBe(
          v5(`outbound ${stream} ${version} message.sent`, namespace),
        );
      }),
    );
  });

  it('differs when one entry tells the same kind twice', () =>
    expect(eventIdOf('a', entry, 'k', 1)).not.toBe(eventIdOf('a', entry, 'k')));

  it('carries its time but in the first generation, and is known before the entry has a place', () => {
    const later = { ...entry, at: new Date(at.getTime() + 1) };
    expect(eventIdOf('a', later, 'k')).toBe(eventIdOf('a', entry, 'k'));
    const written = [entry, later].map((one) => eventIdOf('a', { ...one, generation: 2 }, 'k'));
    const { generation: _, ...unplaced } = entry;
    expect(eventIdOf('a', unplaced, 'k')).toBe(written[0]);
    expect(new Set([...written, eventIdOf('a', entry, 'k')]).size).toBe(3);
  });

  it('differs when a journal that was restored gives out a version once more', () => {
    const again = { ...entry, generation: 2, at: new Date(at.getTime() + 1) };
    const onceMore = { ...again, at: new Date(at.getTime() + 2) };
    const ids = [entry, again, onceMore].map((one) => eventIdOf('a', one, 'k'));
    expect(new Set(ids).size).toBe(3);
  });
});

describe('the sequence of an event', () => {
  it('sorts as text as its place sorts in the journal', () => {
    fc.assert(
      fc.property(place, place, (a, b) => {
        const [first, second] = [sequenceOf(a, 0), sequenceOf(b, 0)];
        const asText = first === second ? 0 : first < second ? -1 : 1;
        expect(asText).toBe(Math.sign(comparePlaces(a, b)));
      }),
    );
  });

  it('grows within an entry', () => {
    const at = { generation: 1, transactionId: 2n, position: 3n };
    expect(sequenceOf(at, 0) < sequenceOf(at, 1)).toBe(true);
  });
});
