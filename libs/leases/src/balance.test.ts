import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Balance, Heirs, type Standing } from './balance.ts';

const settledMs = 30_000;
const standing = (replicaId: string, held: number, changed: Partial<Standing> = {}): Standing => ({
  replicaId,
  held,
  isDraining: false,
  beatingForMs: 60_000,
  ...changed,
});
const of = (replicaId: string, ...standings: Standing[]) => new Balance(replicaId, settledMs).receiver(standings);

describe('a replica that holds more than others', () => {
  it('gives to the one with the fewest, as long as two lie between them', () => {
    expect(of('a', standing('a', 9), standing('b', 9), standing('c', 0), standing('d', 1))).toBe('c');
    expect(of('a', standing('a', 5), standing('b', 3))).toBe('b');
    expect(of('a', standing('a', 5), standing('b', 4))).toBeUndefined();
    expect(of('b', standing('a', 9), standing('b', 3), standing('c', 0))).toBeUndefined();
    expect(of('a', standing('a', 9))).toBeUndefined();
    expect(of('unknown', standing('a', 9), standing('b', 0))).toBeUndefined();
  });

  it('gives nothing while one is about to stop, or has come only just now', () => {
    expect(of('a', standing('a', 9), standing('b', 0, { isDraining: true }))).toBeUndefined();
    expect(of('a', standing('a', 9), standing('b', 0), standing('c', 4, { isDraining: true }))).toBeUndefined();
    expect(of('a', standing('a', 9), standing('b', 0, { beatingForMs: 29_000 }))).toBeUndefined();
    expect(of('a', standing('a', 9, { beatingForMs: 29_000 }), standing('b', 0))).toBeUndefined();
  });

  it('begins at a tenth of an equal part, and goes on to the end', () => {
    const balance = new Balance('a', settledMs);
    expect(balance.receiver([standing('a', 104), standing('b', 96)])).toBeUndefined();
    expect(balance.receiver([standing('a', 106), standing('b', 94)])).toBe('b');
    expect(balance.receiver([standing('a', 104), standing('b', 96)])).toBe('b');
    expect(balance.receiver([standing('a', 101), standing('b', 99)])).toBe('b');
    expect(balance.receiver([standing('a', 100), standing('b', 100)])).toBeUndefined();
    expect(balance.receiver([standing('a', 104), standing('b', 96)])).toBeUndefined();
  });

  it('comes to rest, with the same for all, whatever there was', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(300), { minLength: 1, maxLength: 9 }), (counts) => {
        const held = new Map(counts.map((count, index) => [`${index}`, count]));
        const balances = [...held.keys()].map((id) => ({ id, balance: new Balance(id, settledMs) }));
        const total = counts.reduce((sum, count) => sum + count, 0);
        const now = () => [...held].map(([id, count]) => standing(id, count));
        for (let moves = 0, isMoving = true; isMoving;) {
          isMoving = false;
          for (const { id, balance } of balances) {
            const to = balance.receiver(now());
            if (to === undefined) continue;
            held.set(id, (held.get(id) ?? 0) - 1);
            held.set(to, (held.get(to) ?? 0) + 1);
            isMoving = true;
            moves += 1;
          }
          expect(moves).toBeLessThanOrEqual(total);
        }
        const left = [...held.values()];
        const part = total / counts.length;
        expect(Math.max(...left) - Math.min(...left)).toBeLessThan(Math.max(2, Math.ceil(part / 10)) + 1);
      }),
    );
  });
});

describe('a lease that a replica gives up at its stop', () => {
  it('goes to those with the fewest, the youngest first, as far as they have room', () => {
    const young = standing('young', 2, { beatingForMs: 1 });
    const heirs = new Heirs(
      'a',
      [standing('a', 9), standing('b', 2), young, standing('c', 0, { isDraining: true })],
      4,
    );
    expect(Array.from({ length: 5 }, () => heirs.next())).toEqual(['young', 'b', 'young', 'b', undefined]);
  });

  it('goes nowhere when nobody stays', () => {
    const heirs = new Heirs('a', [standing('a', 9), standing('b', 2, { isDraining: true })]);
    expect([heirs.isEmpty, heirs.next()]).toEqual([true, undefined]);
  });
});
