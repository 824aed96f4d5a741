import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { validate, version } from 'uuid';
import { firstIdAt, messageIdOf } from './message-id.ts';

const identity = { conversationId: 'c', author: 'a', networkMessageId: '3EB0' };
const time = Date.UTC(2026, 0, 1);

const sequence = (position: number): string => `0001-0000000000000abc-${position.toString(16).padStart(16, '0')}-00`;
const idOf = (given = identity, at = time, position = 7): string => messageIdOf(given, at, sequence(position));

describe('the id of a message of the network', () => {
  it('is a UUIDv7', () => expect([validate(idOf()), version(idOf())]).toEqual([true, 7]));
  it('is the same at each delivery', () => expect(idOf({ ...identity })).toBe(idOf()));
  it('differs between authors who chose the same network id', () =>
    expect(idOf({ ...identity, author: 'b' })).not.toBe(idOf()));
  it('sorts by time', () => expect(idOf(identity, time + 1, 1) > idOf(identity, time, 900_000)).toBe(true));
  it('sorts by arrival within the same moment', () =>
    fc.assert(
      fc.property(fc.nat(0x3fffffe), fc.string(), (position, networkMessageId) =>
        expect(idOf(identity, time, position + 1) > idOf({ ...identity, networkMessageId }, time, position)).toBe(true),
      ),
    ));
  it('lies in the partition of its time', () =>
    expect(idOf() >= firstIdAt(time) && idOf() < firstIdAt(time + 1)).toBe(true));
});
