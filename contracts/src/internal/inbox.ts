import { Type } from 'typebox';
import { internal } from '../contract.ts';
import { Id, Jid, Timestamp, closed } from '../shapes.ts';

export const FindMessage = internal({
  name: 'FindMessage',
  owner: 'inbox',
  means:
    'A stored message as the network names it, for a send that quotes it, reacts to it or deletes it. ' +
    'NOT_FOUND when the organization has no such message, or the network never named it.',
  body: closed({ organizationId: Id, messageId: Id }),
  answer: closed({
    messageId: Id,
    profileId: Id,
    networkMessageId: Type.String(),
    chat: Jid,
    author: Type.Optional(Jid),
    fromMe: Type.Boolean(),
    sentAt: Type.Optional(Timestamp),
    text: Type.Optional(Type.String({ description: 'Text or caption, shown in the quotation' })),
  }),
});

export const NamePeople = internal({
  name: 'NamePeople',
  owner: 'inbox',
  means:
    'Names of people by JID, as far as a profile of the organization knows them: what they call themselves, else as they were saved.',
  body: closed({ organizationId: Id, profileId: Id, jids: Type.Array(Jid, { maxItems: 5000 }) }),
  answer: closed({ names: Type.Record(Type.String(), Type.String()) }),
});
