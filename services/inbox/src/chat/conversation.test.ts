import { describe, it } from '@jest/globals';
import { specification } from '@messaging-gateway/testing';
import { conversation, type ConversationCommand, type ConversationEvent } from './conversation.ts';

const given = specification(conversation);
const which = {
  conversationId: '0198c0de-0000-7000-8000-000000000001',
  profileId: '0198c0de-0000-7000-8000-000000000002',
};
const older = '0198c0de-0000-7000-8000-000000000003';
const read = (upTo: string, reads = 0, count = 2): ConversationCommand => ({
  type: 'Read',
  ...which,
  upTo,
  count,
  reads,
});
const wasRead = (upTo: string): ConversationEvent => ({ type: 'ConversationRead', data: { ...which, upTo, count: 2 } });
const join: ConversationCommand = { type: 'Join', ...which, into: older };
const joined: ConversationEvent = { type: 'ConversationJoined', data: { ...which, into: older } };

describe('a conversation', () => {
  it('is read', () => given().when(read('b')).then(wasRead('b')));
  it('is not counted down twice by two that read it at once', () => given(wasRead('b')).when(read('b')).thenNothing());
  it('is read again when more has come', () => given(wasRead('b')).when(read('c', 1)).then(wasRead('c')));
  it('is read again when older messages came late', () => given(wasRead('b')).when(read('a', 1)).then(wasRead('a')));
  it('is not read when nothing is unread', () =>
    given()
      .when(read('b', 0, 0))
      .thenNothing());
  it('becomes an alias of an older one', () => given().when(join).then(joined));
  it('becomes an alias only once', () =>
    given(joined)
      .when({ ...join, into: 'another' })
      .thenNothing());
  it('is never an alias of itself', () =>
    given()
      .when({ ...join, into: which.conversationId })
      .thenNothing());
});
