import { describe, expect, it } from '@jest/globals';
import type { Message } from '../../messages/shapes.ts';
import { suggestionFor } from './suggestion.ts';

const said = (direction: 'incoming' | 'outgoing', content: object) => ({ direction, content }) as unknown as Message;
const text = (direction: 'incoming' | 'outgoing', words: string) => said(direction, { type: 'text', text: words });

describe('a request for a suggestion', () => {
  it('asks about what was written last, with what was said before in its order', () =>
    expect(
      suggestionFor('p', [
        text('outgoing', 'One moment'),
        text('incoming', 'When do you open?'),
        said('incoming', { type: 'image', caption: 'Here' }),
        said('incoming', { type: 'audio' }),
        text('outgoing', 'Hello'),
      ]),
    ).toEqual({
      body: {
        profileId: 'p',
        message: 'When do you open?',
        previousMessages: [
          { role: 'assistant', content: 'Hello' },
          { role: 'user', content: 'Here' },
        ],
      },
    }));

  it('tells twenty messages at most', () => {
    const many = Array.from({ length: 90 }, (_, at) => text('incoming', `${at}`));
    expect(suggestionFor('p', many)?.body.previousMessages?.map(({ content }) => content)).toEqual(
      Array.from({ length: 20 }, (_, at) => `${20 - at}`),
    );
  });

  it('looks at no messages but those that it tells', () => {
    const unread = new Proxy({} as Message, {
      get: () => {
        throw new Error('It was looked at.');
      },
    });
    const told = Array.from({ length: 21 }, () => text('incoming', 'Hello'));
    expect(suggestionFor('p', [...told, unread])?.body.message).toBe('Hello');
  });

  it.each([[[]], [[text('outgoing', 'Hello')]], [[text('incoming', '  ')]]])(
    'is none where the other side has written nothing: %j',
    (messages) => expect(suggestionFor('p', messages)).toBeUndefined(),
  );
});
