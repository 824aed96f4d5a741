import { Type } from 'typebox';
import { event } from '../../contract.ts';
import { Id, closed } from '../../shapes.ts';

export const ConversationJoined = event({
  type: 'conversation.joined',
  version: 1,
  owner: 'inbox',
  visibility: 'internal',
  means:
    'A conversation turned out to be that of a person who has another, older one, known by phone and by LID: it became an alias of that. ' +
    'Its messages belong to the older one from now on, those too that were told under its id.',
  data: closed({
    conversationId: Id,
    profileId: Id,
    into: Type.String({ format: 'uuid', description: 'The conversation that goes on' }),
  }),
  example: {
    conversationId: '0198c0de-0000-7000-8000-000000000002',
    profileId: '0198c0de-0000-7000-8000-000000000001',
    into: '0198c0de-0000-7000-8000-000000000003',
  },
});
