import { Type } from 'typebox';
import { operation } from '../../contract.ts';
import { Count, Id, closed } from '../../shapes.ts';
import { MessageRecord, messageExample } from './shapes.ts';

export const LoadOlderMessages = operation({
  name: 'LoadOlderMessages',
  owner: 'inbox',
  method: 'GET',
  path: '/messages/conversation/:conversationId/load-older',
  access: 'message:read',
  tag: 'Messages',
  summary: 'Fetch older messages from the network and persist them',
  means:
    'Asks the phone for messages before the oldest one stored, stores them silently, and answers them, newest first. The phone ' +
    'must be reachable. Of a conversation without any message nothing can be asked: the answer is empty.',
  params: closed({ conversationId: Id }),
  query: closed({ limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 50 })) }),
  answers: {
    200: {
      body: closed({
        items: Type.Array(MessageRecord),
        fetched: { ...Count, description: 'How many messages the phone handed over' },
        hasMore: Type.Boolean({ description: 'The phone may have still older ones' }),
      }),
      means: 'What is stored now of what came before.',
      example: { items: [messageExample], fetched: 1, hasMore: false },
    },
  },
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND', 'PROFILE_NOT_CONNECTED', 'ENGINE_TIMEOUT'],
});
