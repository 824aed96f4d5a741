import { Type } from 'typebox';
import { operation } from '../../contract.ts';
import { Id, Jid, Timestamp, closed } from '../../shapes.ts';

const params = closed({ id: Id });

export const SubscribePresence = operation({
  name: 'SubscribePresence',
  owner: 'inbox',
  method: 'POST',
  path: '/conversations/:id/presence/subscribe',
  access: 'message:read',
  tag: 'Conversations',
  audit: 'conversation.subscribe_presence',
  summary: 'Subscribe to presence and typing',
  means:
    'From now on `presence.update` tells whether the other side of this chat is there, writes or records (in a group: who writes or records), over restarts and ' +
    'reconnections, until the time that the answer names. Once more: that much longer. Of one profile the 100 chats that were ' +
    'subscribed last are followed. The network tells presence only to those who are there themselves: while a profile has a subscription, ' +
    'its contacts see it online, and its phone may hold back its own notifications. A profile that is not connected follows once it is. ' +
    'Of presence that people hide nothing is told.',
  params,
  body: closed({
    expiresInMinutes: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1440, default: 1440, description: 'Default: a day' }),
    ),
  }),
  bodyOptional: true,
  answers: {
    200: {
      body: closed({
        conversationId: Id,
        jid: Jid,
        expiresAt: { ...Timestamp, description: 'When the subscription ends, unless it is renewed' },
      }),
      means: 'The chat is subscribed.',
      example: {
        conversationId: '0198c0de-0000-5000-8000-000000000003',
        jid: '4915112345678@c.us',
        expiresAt: '2026-01-02T00:00:00.000Z',
      },
    },
  },
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND', 'ENGINE_UNSUPPORTED'],
  example: { expiresInMinutes: 60 },
});

export const UnsubscribePresence = operation({
  name: 'UnsubscribePresence',
  owner: 'inbox',
  method: 'DELETE',
  path: '/conversations/:id/presence/subscribe',
  access: 'message:read',
  tag: 'Conversations',
  audit: 'conversation.unsubscribe_presence',
  summary: 'End a subscription to presence and typing',
  means: 'Nothing more is told of this chat. With the last subscription of a profile it goes offline for its contacts.',
  params,
  answers: { 204: { means: 'The chat is not subscribed.' } },
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'],
});
