import { Type } from 'typebox';
import { internal } from '../contract.ts';
import { Id, Jid, Timestamp, closed, nullable, oneOf } from '../shapes.ts';

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

export const PreviousMessages = internal({
  name: 'PreviousMessages',
  owner: 'inbox',
  means:
    'What was last said in a conversation, oldest first: texts and captions of what came in (`user`) and went out (`assistant`), without what was ' +
    'deleted, cleared or never sent. Looks through the newest 500 messages. None for a conversation that the organization does not have.',
  body: closed({
    organizationId: Id,
    conversationId: Id,
    before: Type.Optional({ ...Id, description: 'A message of it: only what stands before that' }),
    limit: Type.Integer({ minimum: 1, maximum: 50 }),
  }),
  answer: closed({
    messages: Type.Array(closed({ messageId: Id, role: oneOf(['user', 'assistant']), content: Type.String() })),
  }),
});

export const HandOverChat = internal({
  name: 'HandOverChat',
  owner: 'inbox',
  means:
    'Leaves a conversation to humans for the `handoverMinutes` of its profile (60 where those are 0), unless it is so for longer already. ' +
    'Once for each `once`. NOT_FOUND when the organization has no such conversation.',
  body: closed({
    organizationId: Id,
    conversationId: Id,
    actor: Type.String({ description: 'On whose behalf: `user:…`, `api_key:…` or `service:…`' }),
    once: Id,
  }),
  answer: closed({ until: nullable({ ...Timestamp, description: 'As it stands; null: given back since' }) }),
});

export const ListKnownChats = internal({
  name: 'ListKnownChats',
  owner: 'inbox',
  means:
    'Returns those of the chats in which the other person has written to the profile, in the stored messages or in the history of the phone. ' +
    'Outbound tells strangers from others by it.',
  body: closed({ organizationId: Id, profileId: Id, chats: Type.Array(Jid, { maxItems: 200 }) }),
  answer: closed({ known: Type.Array(Jid) }),
});
