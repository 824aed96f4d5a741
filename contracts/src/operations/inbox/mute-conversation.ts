import { Type } from 'typebox';
import { operation } from '../../contract.ts';
import { Id, Timestamp, closed } from '../../shapes.ts';
import { Conversation, conversationExample } from './shapes.ts';

export const MuteConversation = operation({
  name: 'MuteConversation',
  owner: 'inbox',
  method: 'PUT',
  path: '/conversations/:id/mute',
  access: 'message:send',
  tag: 'Conversations',
  summary: 'Mute',
  means:
    'Mutes the conversation, in the gateway only, for good or until a time. Without `muted` it is the other way round than before; ' +
    'with `until` alone it is muted until then. Messages are stored and told all the same.',
  params: closed({ id: Id }),
  body: closed({ muted: Type.Optional(Type.Boolean()), until: Type.Optional(Timestamp) }),
  bodyOptional: true,
  answers: {
    200: {
      body: Conversation,
      means: 'The conversation.',
      example: { ...conversationExample, muted: true, mutedUntil: '2026-01-02T00:00:00.000Z' },
    },
  },
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'],
  example: { muted: true, until: '2026-01-02T00:00:00.000Z' },
});
