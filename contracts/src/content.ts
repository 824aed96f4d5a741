import { Type, type Static } from 'typebox';
import { Jid, closed } from './shapes.ts';

/** Content of a text message: the fields of `POST /messages/text`. */
export const TextContent = closed({
  text: Type.String(),
  mentions: Type.Optional(Type.Array(Jid)),
  linkPreview: Type.Optional(Type.Boolean()),
});

/** What a service asks the engine to send. Each message type has its own member. */
export const OutgoingContent = Type.Union([
  closed({
    type: Type.Literal('text'),
    content: TextContent,
    quoted: Type.Optional(
      closed({
        networkMessageId: Type.String(),
        author: Type.Optional(Jid),
        fromMe: Type.Boolean(),
        text: Type.Optional(Type.String()),
      }),
    ),
  }),
]);
export type OutgoingContentOf = Static<typeof OutgoingContent>;

/** What the engine hands over of an inbound message. Each message type has its own member. */
export const IncomingContent = Type.Union([
  closed({ type: Type.Literal('text'), content: TextContent }),
  closed({ type: Type.Literal('unsupported'), content: closed({ kind: Type.String() }) }),
]);
export type IncomingContentOf = Static<typeof IncomingContent>;
