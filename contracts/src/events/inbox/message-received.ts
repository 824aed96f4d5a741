import { Type } from 'typebox';
import { quotedFields, ShownContent, ShownMedia, storedTypes } from '../../content/index.ts';
import { event } from '../../contract.ts';
import { Id, Jid, Timestamp, closed, oneOf } from '../../shapes.ts';

const received = {
  owner: 'inbox',
  visibility: 'public',
  data: closed({
    id: Id,
    networkMessageId: Type.String(),
    conversationId: Id,
    from: Jid,
    author: Type.Optional(Jid),
    to: Type.Optional(Jid),
    pushName: Type.Optional(Type.String({ description: 'The name that whoever wrote it goes by on the network' })),
    body: Type.Optional(Type.String({ description: 'Text or caption' })),
    type: oneOf(storedTypes),
    content: ShownContent,
    hasMedia: Type.Boolean(),
    media: Type.Optional(ShownMedia),
    quotedMessageId: Type.Optional(Id),
    quoted: Type.Optional(
      closed(
        {
          networkMessageId: Type.String(),
          body: Type.Optional(Type.String({ description: 'Text or caption' })),
          ...quotedFields,
        },
        {
          title: 'Quotation',
          description: 'The message that it answers, as the client of whoever wrote it shows that',
        },
      ),
    ),
    broadcast: Type.Optional(
      Type.Literal(true, { description: 'The author wrote the message to a broadcast list. Absent otherwise' }),
    ),
    timestamp: Timestamp,
    replayed: Type.Optional(Type.Boolean()),
    firstEver: Type.Optional(
      Type.Literal(true, {
        description:
          'The first message that this person has ever written to the profile, known by phone or LID, in a chat of two: nothing came before, ' +
          'neither in what was cleared or deleted since nor in the history that the phone had handed over. Absent otherwise',
      }),
    ),
  }),
  example: {
    id: '0198c0de-0000-7000-8000-000000000001',
    networkMessageId: '3EB0C767D82B1F2A',
    conversationId: '0198c0de-0000-7000-8000-000000000002',
    from: '4915112345678@c.us',
    to: '4915187654321@c.us',
    pushName: 'Ada',
    body: 'Hello',
    type: 'text',
    content: { type: 'text', text: 'Hello' },
    hasMedia: false,
    timestamp: '2026-01-01T00:00:00.000Z',
  },
} as const;

export const MessageReceived = event({
  ...received,
  type: 'message.received',
  version: 5,
  means: 'An inbound message was stored. Each message is told once, however often the network delivers it.',
});

export const MessageRecovered = event({
  ...received,
  type: 'message.recovered',
  version: 1,
  means:
    'The content of a message arrived that had been published without it, as `message.received` with the content ' +
    '`{ "type": "unsupported", "kind": "unavailable" }`. The stored message has the content from now on, under the same id.',
});
