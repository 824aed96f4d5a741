import { describe, expect, it } from '@jest/globals';
import type { Conversation, Message } from '../../messages/shapes.ts';
import { isOlder, withMessage } from './conversation-news.ts';

const at = (second: number): string => `2026-01-01T00:00:0${second}.000Z`;
const message = (id: string, second: number) => ({ id, timestamp: at(second) }) as Message;
const conversation = (last: Message | null, unreadCount: number, lastMessageAt = last?.timestamp ?? null) =>
  ({ lastMessage: last, lastMessageAt, unreadCount }) as Conversation;

describe('a conversation that a message comes into', () => {
  it('ends with it, and counts it', () => {
    const now = withMessage(conversation(message('1', 1), 1), message('2', 2), true);
    expect(now).toEqual(conversation(message('2', 2), 2));
    expect(withMessage(now, message('3', 3), false)).toEqual(conversation(message('3', 3), 2));
    expect(withMessage(conversation(null, 0), message('1', 1), true)).toEqual(conversation(message('1', 1), 1));
  });

  it('does not count one that it already had when it was read', () => {
    const read = conversation(message('3', 1), 3);
    const [first, second, third] = [message('1', 1), message('2', 1), message('3', 1)];
    expect([first, second, third].map((one) => withMessage(read, one, true))).toEqual([read, read, read]);
    expect([first, second, third].map((one) => isOlder(one, read))).toEqual([true, true, false]);
  });

  it('is asked for when one came late', () => {
    const read = conversation(message('9', 2), 1);
    expect(isOlder(message('1', 1), read)).toBe(true);
    expect(withMessage(read, message('1', 1), true)).toBe(read);
    expect(isOlder(message('1', 1), conversation(null, 0, at(2)))).toBe(true);
  });
});
