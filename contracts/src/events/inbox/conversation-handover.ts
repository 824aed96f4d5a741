import { Type } from 'typebox';
import { event } from '../../contract.ts';
import { Id, Timestamp, closed, nullable } from '../../shapes.ts';

export const ConversationHandover = event({
  type: 'conversation.handover',
  version: 1,
  owner: 'inbox',
  visibility: 'internal',
  means:
    'A human has taken over a chat, which nothing automatic answers until then, or has given it back. Told whenever that changes, but not ' +
    'when the time is over. Whoever has to know how it stands now asks with `DescribePerson`.',
  data: closed({
    conversationId: Id,
    profileId: Id,
    until: nullable(Timestamp),
    aliases: Type.Optional(
      Type.Array(Id, {
        description:
          'Ids of conversations that became an alias of this one, as the person was known by phone and by LID: what was told before may name them',
      }),
    ),
  }),
  example: {
    conversationId: '0198c0de-0000-7000-8000-000000000002',
    profileId: '0198c0de-0000-7000-8000-000000000001',
    until: '2026-01-01T01:00:00.000Z',
  },
});
