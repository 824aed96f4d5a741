import { Type } from 'typebox';
import { event } from '../../contract.ts';
import { Id, Timestamp, closed, oneOf } from '../../shapes.ts';

export const ConversationUpdated = event({
  type: 'conversation.updated',
  version: 1,
  owner: 'inbox',
  visibility: 'internal',
  live: true,
  means:
    'A conversation was read, archived, muted, pinned, cleared or deleted, by whomever, or joined with another one of the same person. How it stands now ' +
    'tells `GET /conversations/{id}`.',
  data: closed({
    conversationId: Id,
    profileId: Id,
    change: oneOf([
      'read',
      'archived',
      'unarchived',
      'muted',
      'unmuted',
      'pinned',
      'unpinned',
      'cleared',
      'deleted',
      'joined',
    ]),
    until: Type.Optional({ ...Timestamp, description: 'With `muted`: until then' }),
    into: Type.Optional({ ...Id, description: 'With `joined`: the conversation that it is now part of' }),
  }),
  example: {
    conversationId: '0198c0de-0000-7000-8000-000000000002',
    profileId: '0198c0de-0000-7000-8000-000000000001',
    change: 'archived',
  },
});
