import { Type, type Static } from 'typebox';
import { Jid, closed } from '../shapes.ts';
import { contentFields } from './fields.ts';
import { MediaSource } from './media-source.ts';
import { quotedFields } from './quoted.ts';

/** A message that exists already, as the network names it. */
export const MessageTarget = closed({
  networkMessageId: Type.String(),
  author: Type.Optional(Jid),
  fromMe: Type.Boolean({ description: 'The profile itself wrote it' }),
});
export type MessageTargetOf = Static<typeof MessageTarget>;

/** The message that another one answers, with what the quotation shows of it. */
export const QuotedMessage = closed({
  networkMessageId: Type.String(),
  author: Type.Optional(Jid),
  fromMe: Type.Boolean(),
  chat: Type.Optional({ ...Jid, description: 'The chat of the quoted message, when it is another one: a group' }),
  text: Type.Optional(Type.String({ description: 'Text or caption, shown in the quotation' })),
  ...quotedFields,
});
export type QuotedMessageOf = Static<typeof QuotedMessage>;

const quoted = Type.Optional(QuotedMessage);
const { text, image, video, audio, document, location, poll } = contentFields;

const contact = {
  contacts: Type.Array(
    closed({
      name: Type.String(),
      phone: Type.String({ description: 'Digits' }),
      ...contentFields.contact,
    }),
  ),
};

const messages = [
  closed({ type: Type.Literal('text'), content: closed(text), quoted }),
  closed({ type: Type.Literal('image'), content: closed(image), media: MediaSource, quoted }),
  closed({ type: Type.Literal('video'), content: closed(video), media: MediaSource, quoted }),
  closed({ type: Type.Literal('audio'), content: closed(audio), media: MediaSource, quoted }),
  closed({
    type: Type.Literal('document'),
    content: closed({ filename: Type.String(), ...document }),
    media: MediaSource,
    quoted,
  }),
  closed({ type: Type.Literal('location'), content: closed(location), quoted }),
  closed({ type: Type.Literal('contact'), content: closed(contact), quoted }),
  closed({ type: Type.Literal('poll'), content: closed(poll), quoted }),
] as const;

/** A message of its own, with the fields of its send route in `content`. Each type has its own member. */
export const MessageContent = Type.Union([...messages]);

/** Length and waveform, which phones show of a voice note before it is played. The engine is told, and nobody else. */
const heard = {
  seconds: Type.Optional(Type.Integer({ minimum: 1, description: 'How long it is' })),
  waveform: Type.Optional(Type.String({ contentEncoding: 'base64', description: 'Loudness: 64 bytes, 0 to 100' })),
};
const [textMessage, imageMessage, videoMessage, , ...others] = messages;
const audioMessage = closed({
  type: Type.Literal('audio'),
  content: closed({ ...audio, ...heard }),
  media: MediaSource,
  quoted,
});
const made = [textMessage, imageMessage, videoMessage, audioMessage, ...others] as const;
const MadeContent = Type.Union([...made]);
/** A message as it is handed to the engine. */
export type MessageContentOf = Static<typeof MadeContent>;

/** Content that the engine is asked to send: a message, or a change of one that exists. */
export const OutgoingContent = Type.Union([
  ...made,
  closed({
    type: Type.Literal('reaction'),
    content: closed({ emoji: Type.String({ description: 'Empty: takes the reaction back' }) }),
    target: MessageTarget,
  }),
  closed({ type: Type.Literal('delete'), content: closed({}), target: MessageTarget }),
]);
export type OutgoingContentOf = Static<typeof OutgoingContent>;
/** Types of contents that are changes of another message. */
export type ChangeType = Exclude<OutgoingContentOf['type'], MessageContentOf['type']>;
