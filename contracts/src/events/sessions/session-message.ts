import { Type } from 'typebox';
import { event } from '../../contract.ts';
import { Id, Jid, Timestamp, closed, nullable, oneOf } from '../../shapes.ts';
import { IncomingContent, MessageTarget, quotedFields } from '../../content/index.ts';

/** A chat or a person as the network names it: by phone, by LID, or by both. */
export const NetworkAddress = closed(
  {
    jid: Jid,
    phone: Type.Optional(Type.String({ description: 'Digits, when known' })),
    lid: Type.Optional(Type.String({ description: '`<id>@lid`, when known' })),
  },
  { title: 'NetworkAddress' },
);

const messageOf = {
  profileId: Id,
  networkMessageId: Type.String(),
  chat: NetworkAddress,
  author: NetworkAddress,
  own: Type.Optional(Type.String({ description: 'JID of the profile itself; the inbox asks when it is absent' })),
  fromMe: Type.Boolean(),
  broadcast: Type.Optional(Type.Boolean({ description: 'The author wrote it to a broadcast list' })),
  recovered: Type.Optional(
    Type.Boolean({ description: 'The message was published without content before; this is its content' }),
  ),
  pushName: nullable(Type.String()),
  sentAt: Timestamp,
  content: IncomingContent,
  replacesMediaOf: Type.Optional({
    ...MessageTarget,
    description:
      'These media are a better form of those of another message: the inbox replaces them and stores no message',
  }),
  quotedNetworkMessageId: Type.Optional(Type.String()),
  quotedBody: Type.Optional(
    Type.String({ description: "Text or caption of the quoted message, by the sender's client" }),
  ),
  quotedFields: Type.Optional(
    closed(quotedFields, { description: "Type and small fields of the quoted message, by the sender's client" }),
  ),
} as const;

const example = {
  profileId: '0198c0de-0000-7000-8000-000000000001',
  networkMessageId: '3EB0C767D82B1F2A',
  chat: { jid: '4915112345678@c.us', phone: '4915112345678', lid: '100000000000001@lid' },
  author: { jid: '4915112345678@c.us', phone: '4915112345678', lid: '100000000000001@lid' },
  fromMe: false,
  pushName: 'Ada',
  sentAt: '2026-01-01T00:00:00.000Z',
  content: { type: 'text', content: { text: 'Hello' } },
};

export const SessionMessage = event({
  type: 'session.message',
  version: 5,
  owner: 'sessions',
  visibility: 'internal',
  means:
    'A message that the engine decrypted: from a contact, or written by the owner on the phone (`fromMe`). ' +
    'The inbox stores each once by profile, chat, author and network id.',
  data: closed({
    ...messageOf,
    delivery: oneOf(['live', 'replayed', 'history'], {
      description:
        'live: now. replayed: missed while disconnected. history: handed over by the phone, stored silently.',
    }),
  }),
  example: { ...example, delivery: 'live' },
});

export const SessionHistory = event({
  type: 'session.history',
  version: 3,
  owner: 'sessions',
  visibility: 'internal',
  means:
    'A message that the phone handed over as history. A kind of its own: a phone hands over thousands at once, ' +
    'for which no new message waits. The inbox stores each once and tells nobody.',
  data: closed({ ...messageOf, delivery: oneOf(['history']) }),
  example: { ...example, delivery: 'history' },
});
