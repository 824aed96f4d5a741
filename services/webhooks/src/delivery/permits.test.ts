import { describe, expect, it } from '@jest/globals';
import { AttemptPermits, type Applicant } from './permits.ts';

interface Webhook extends Applicant {
  readonly name: string;
}

const webhook = (organizationId: string, name = organizationId): Webhook => ({ organizationId, name });

/** Gives permits to whoever may have one, for as long as anybody wants to: each wants another one at once. */
function fill(permits: AttemptPermits<Webhook>, ...all: Webhook[]): Webhook[] {
  const given: Webhook[] = [];
  for (const one of all) permits.want(one);
  for (let next = permits.next(); next !== undefined; next = permits.next()) {
    permits.give(next);
    given.push(next);
    permits.want(next);
  }
  return given;
}
const count = (given: readonly Webhook[], name: string): number => given.filter((one) => one.name === name).length;

const permitsOf = (all: number, reserved = 0): AttemptPermits<Webhook> =>
  new AttemptPermits<Webhook>({ permits: all, reserved });

describe('permits for attempts under way', () => {
  it('are taken to the half by one organization, however many webhooks it has', () => {
    const all = Array.from({ length: 100 }, (_, index) => webhook('a', String(index)));
    expect(fill(permitsOf(100), ...all)).toHaveLength(50);
  });

  it('are there for whoever comes later, while the others give none back', () => {
    const permits = permitsOf(100, 3);
    const given = 'abcdefghijk'.split('').map((name) => count(fill(permits, webhook(name)), name));
    expect(given).toEqual([50, 25, 13, 6, 3, 2, 1, 1, 1, 1, 0]);
    expect(permits.given).toBe(103);
  });

  it('come to equal shares, and leave as much free', () => {
    const permits = permitsOf(100, 10);
    const under = ['a', 'b', 'c'].flatMap((name) => fill(permits, webhook(name)));
    for (let round = 0; round < 200; round += 1) {
      const settled = under.shift() as Webhook;
      permits.giveBack(settled);
      under.push(...fill(permits, settled));
    }
    expect(['a', 'b', 'c'].map((name) => count(under, name))).toEqual([25, 25, 25]);
    expect(permits.given).toBe(75);
  });

  it('are given to the webhooks of an organization in turn', () => {
    const given = fill(permitsOf(12), webhook('a', 'first'), webhook('a', 'second'), webhook('a', 'third'));
    expect(given.map(({ name }) => name)).toEqual(['first', 'second', 'third', 'first', 'second', 'third']);
  });

  it('are one for each of very many', () => {
    const given = fill(permitsOf(100, 20), ...Array.from({ length: 200 }, (_, index) => webhook(String(index))));
    expect(given).toHaveLength(120);
    expect(new Set(given).size).toBe(120);
  });

  it('go first to those who have the fewest', () => {
    const permits = permitsOf(10);
    const [first, ...others] = fill(permits, webhook('a'));
    expect(others).toHaveLength(4);
    expect(fill(permits, webhook('b'), webhook('c')).map(({ name }) => name)).toEqual(['b', 'c', 'b', 'c']);
    permits.giveBack(first as Webhook);
    expect(permits.next()).toBeUndefined();
    expect(fill(permits, webhook('d')).map(({ name }) => name)).toEqual(['d']);
  });
});
