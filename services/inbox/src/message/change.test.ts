import { describe, it } from '@jest/globals';
import type { MessageChangeOf, StoredType } from '@messaging-gateway/contracts';
import { specification } from '@messaging-gateway/testing';
import type { Change } from './change.ts';
import { message, type Incoming, type MessageCommand, type MessageEvent } from './message.ts';

const given = specification(message);
const which = {
  messageId: '0198c0de-0000-7000-8000-000000000001',
  profileId: '0198c0de-0000-7000-8000-000000000002',
  conversationId: '0198c0de-0000-7000-8000-000000000003',
  networkMessageId: '3EB0C767',
  chat: '4915112345678@c.us',
};
const stored = (type: StoredType = 'text'): MessageEvent => ({
  type: 'IncomingStored',
  data: {
    ...which,
    author: which.chat,
    type,
    content: {},
    timestamp: '2026-01-01T00:00:00.000Z',
    delivery: 'live',
  } satisfies Incoming,
});
const done: Omit<Change, 'change'> = {
  ...which,
  person: 'p',
  fromMe: false,
  at: '2026-01-01T00:01:00.000Z',
  delivery: 'live',
};
const change = (what: MessageChangeOf, at = done.at): MessageCommand => ({
  type: 'Change',
  change: { ...done, at, change: what },
});
const later = '2026-01-01T00:02:00.000Z';
const like: MessageChangeOf = { type: 'reacted', emoji: '👍' };
const liked = (emoji = '👍', at = done.at): MessageEvent => ({ type: 'MessageReacted', data: { ...done, at, emoji } });
const revoked: MessageEvent = { type: 'MessageRevoked', data: done };
const text = (words: string): MessageChangeOf => ({
  type: 'edited',
  content: { type: 'text', content: { text: words } },
});
const removed: MessageEvent = { type: 'MessageRemoved', data: { messageId: which.messageId } };

describe('a change of a message', () => {
  it('is nothing before the message is there', () => given().when(change(like)).thenNothing());
  it('is a reaction', () => given(stored()).when(change(like)).then(liked()));
  it('takes a reaction back before it came: it is older', () => {
    given(stored())
      .when(change({ type: 'reacted', emoji: '' }, later))
      .then(liked('', later));
    given(stored(), liked('', later)).when(change(like)).thenNothing();
  });
  it('is told once', () => given(stored(), liked()).when(change(like)).thenNothing());
  it('is a new reaction', () =>
    given(stored(), liked())
      .when(change({ type: 'reacted', emoji: '❤️' }, later))
      .then(liked('❤️', later)));
  it('is nothing when it is older than what is known', () =>
    given(stored(), liked('❤️', later)).when(change(like)).thenNothing());
  it('is an edit', () =>
    given(stored())
      .when(change(text('New')))
      .then({ type: 'MessageEdited', data: { ...done, content: { text: 'New' } } }));
  it('is a further edit of the same second, and none from before', () => {
    const edit = (words: string, at = done.at): MessageEvent => ({
      type: 'MessageEdited',
      data: { ...done, at, content: { text: words } },
    });
    given(stored(), edit('New'))
      .when(change(text('Newer')))
      .then(edit('Newer'));
    given(stored(), edit('New', later))
      .when(change(text('Older')))
      .thenNothing();
  });
  it('is a new caption', () =>
    given(stored('image'))
      .when(change(text('New')))
      .then({ type: 'MessageEdited', data: { ...done, content: { caption: 'New' } } }));
  it('is no edit of what has no text', () =>
    given(stored('location'))
      .when(change(text('New')))
      .thenNothing());
  it('is no vote on what is no poll', () =>
    given(stored())
      .when(change({ type: 'voted', options: ['Monday'] }))
      .thenNothing());
  it('is a deletion for everyone, once', () => {
    given(stored())
      .when(change({ type: 'revoked' }))
      .then(revoked);
    given(stored(), revoked)
      .when(change({ type: 'revoked' }))
      .thenNothing();
  });
  it('is nothing once the message was deleted for everyone', () =>
    given(stored(), revoked).when(change(like)).thenNothing());
  it('is nothing once the message was deleted here', () => given(stored(), removed).when(change(like)).thenNothing());
});

describe('a message', () => {
  const remove: MessageCommand = { type: 'Remove', messageId: which.messageId };
  it('is deleted here', () => given(stored()).when(remove).then(removed));
  it('is deleted here once', () => given(stored(), removed).when(remove).thenNothing());
  it('that was never there cannot be deleted', () => given().when(remove).thenNothing());
});
