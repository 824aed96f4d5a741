import { describe, expect, it } from '@jest/globals';
import { validate, version } from 'uuid';
import { firstIdAt, messageIdOf } from './message-id.ts';

const identity = { conversationId: 'c', author: 'a', networkMessageId: '3EB0' };
const time = Date.UTC(2026, 0, 1);

describe('the id of a message of the network', () => {
  it('is a UUIDv7', () => {
    const id = messageIdOf(identity, time, time);
    expect([validate(id), version(id)]).toEqual([true, 7]);
  });
  it('is the same at each delivery', () =>
    expect(messageIdOf(identity, time, time)).toBe(messageIdOf({ ...identity }, time, time)));
  it('differs between authors who chose the same network id', () =>
    expect(messageIdOf(identity, time, time)).not.toBe(messageIdOf({ ...identity, author: 'b' }, time, time)));
  it('sorts by time', () =>
    expect(messageIdOf(identity, time + 1, time) > messageIdOf(identity, time, time + 1000)).toBe(true));
  it('sorts by arrival within the same second', () =>
    expect(
      messageIdOf(identity, time, time + 8) > messageIdOf({ ...identity, networkMessageId: '3EB1' }, time, time),
    ).toBe(true));
  it('lies in the partition of its time', () => {
    const id = messageIdOf(identity, time, time);
    expect(id >= firstIdAt(time) && id < firstIdAt(time + 1)).toBe(true);
  });
});
