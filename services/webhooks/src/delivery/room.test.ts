import { describe, expect, it } from '@jest/globals';
import { Room, type Guest } from './room.ts';

interface Webhook extends Guest {
  readonly name: string;
}

const webhook = (organizationId: string, name = organizationId): Webhook => ({ organizationId, name });

/** Lets in whoever may come in, for as long as anybody wants to: each wants another place at once. */
function fill(room: Room<Webhook>, ...all: Webhook[]): Webhook[] {
  const entered: Webhook[] = [];
  for (const one of all) room.want(one);
  for (let next = room.next(); next !== undefined; next = room.next()) {
    room.enter(next);
    entered.push(next);
    room.want(next);
  }
  return entered;
}
const count = (entered: readonly Webhook[], name: string): number => entered.filter((one) => one.name === name).length;

const roomOf = (places: number, reserved = 0): Room<Webhook> => new Room<Webhook>({ places, reserved });

describe('the room for attempts under way', () => {
  it('is taken to the half by one organization, however many webhooks it has', () => {
    const all = Array.from({ length: 100 }, (_, index) => webhook('a', String(index)));
    expect(fill(roomOf(100), ...all)).toHaveLength(50);
  });

  it('has places for whoever comes later, while the others give none back', () => {
    const room = roomOf(100, 3);
    const entered = 'abcdefghijk'.split('').map((name) => count(fill(room, webhook(name)), name));
    expect(entered).toEqual([50, 25, 13, 6, 3, 2, 1, 1, 1, 1, 0]);
    expect(room.taken).toBe(103);
  });

  it('comes to equal shares, and leaves as much free', () => {
    const room = roomOf(100, 10);
    const under = ['a', 'b', 'c'].flatMap((name) => fill(room, webhook(name)));
    for (let round = 0; round < 200; round += 1) {
      const settled = under.shift() as Webhook;
      room.leave(settled);
      under.push(...fill(room, settled));
    }
    expect(['a', 'b', 'c'].map((name) => count(under, name))).toEqual([25, 25, 25]);
    expect(room.taken).toBe(75);
  });

  it('is given to the webhooks of an organization in turn', () => {
    const entered = fill(roomOf(12), webhook('a', 'first'), webhook('a', 'second'), webhook('a', 'third'));
    expect(entered.map(({ name }) => name)).toEqual(['first', 'second', 'third', 'first', 'second', 'third']);
  });

  it('has one place for each of very many', () => {
    const entered = fill(roomOf(100, 20), ...Array.from({ length: 200 }, (_, index) => webhook(String(index))));
    expect(entered).toHaveLength(120);
    expect(new Set(entered).size).toBe(120);
  });

  it('goes first to those who have the fewest', () => {
    const room = roomOf(10);
    const [first, ...others] = fill(room, webhook('a'));
    expect(others).toHaveLength(4);
    expect(fill(room, webhook('b'), webhook('c')).map(({ name }) => name)).toEqual(['b', 'c', 'b', 'c']);
    room.leave(first as Webhook);
    expect(room.next()).toBeUndefined();
    expect(fill(room, webhook('d')).map(({ name }) => name)).toEqual(['d']);
  });
});
