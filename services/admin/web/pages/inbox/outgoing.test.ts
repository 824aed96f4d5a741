import { describe, expect, it } from '@jest/globals';
import { unstored, type Outgoing } from './outgoing.ts';
import type { Message } from '../../messages/shapes.ts';

const startedAt = Date.parse('2026-01-01T10:00:00.000Z');
const outgoing = (key: string, text: string, more: Partial<Outgoing> = {}): Outgoing => ({
  id: key,
  key,
  chat: 'chat',
  operation: 'SendText',
  request: { body: { profileId: 'p', to: '1', text } },
  content: { type: 'text', text },
  startedAt,
  state: 'sending',
  ...more,
});
const message = (id: string, text: string, seconds = 0): Message => ({
  id,
  profileId: 'p',
  conversationId: 'chat',
  networkMessageId: null,
  direction: 'outgoing',
  from: null,
  to: null,
  type: 'text',
  content: { type: 'text', text },
  quotedMessageId: null,
  status: 'sent',
  error: null,
  timestamp: new Date(startedAt + seconds * 1000).toISOString(),
  createdAt: new Date(startedAt + seconds * 1000).toISOString(),
});
const keys = (...given: Parameters<typeof unstored>): string =>
  unstored(...given)
    .shown.map(({ id }) => id)
    .join();

describe('what was sent and is not stored yet', () => {
  it('is shown until the gateway shows it', () => {
    expect(keys([outgoing('a', 'Hello')], [])).toBe('a');
    expect(keys([outgoing('a', 'Hello')], [message('m', 'Hello', 1)])).toBe('');
  });

  it('is found by its id once that is known', () => {
    expect(keys([outgoing('a', 'Hello', { messageId: 'm' })], [message('n', 'Hello', 1)])).toBe('a');
    expect(keys([outgoing('a', 'Hello', { messageId: 'm' })], [message('m', 'Hello there', 1)])).toBe('');
  });

  it('is not taken for an earlier one that says the same', () => {
    expect(keys([outgoing('a', 'ok')], [message('m', 'ok', -60)])).toBe('a');
  });

  it('counts: of two that say the same and one that is stored, one is left', () => {
    expect(keys([outgoing('a', 'ok'), outgoing('b', 'ok')], [message('m', 'ok', 1)])).toBe('b');
    expect(keys([outgoing('a', 'ok', { messageId: 'm' }), outgoing('b', 'ok')], [message('m', 'ok', 1)])).toBe('b');
  });
});
