import { Type, type Static, type TProperties } from 'typebox';
import { closed } from '../shapes.ts';
import { contentFields } from './fields.ts';
import { ArrivedMedia, ShownMedia } from './media-source.ts';

const { text, image, video, audio, document, location, poll } = contentFields;

const contact = {
  contacts: Type.Array(
    closed({
      name: Type.String(),
      phone: Type.Optional(Type.String({ description: 'Digits; absent when the card has none' })),
      email: Type.Optional(Type.String()),
    }),
  ),
};
/** A preview, as the sender made it, of the page that a text names. */
const LinkPreview = closed({
  url: Type.String({ description: 'As it stands in the text' }),
  title: Type.Optional(Type.String()),
  description: Type.Optional(Type.String()),
});
const arrivedText = { ...text, preview: Type.Optional(LinkPreview) };
const unsupported = { kind: Type.String({ description: "The network's name of the kind" }) };

const withMedia = <const M extends TProperties[string]>(media: M) => ({
  image: closed({ ...image, media }),
  video: closed({ ...video, media }),
  audio: closed({ ...audio, media }),
  document: closed({ ...document, filename: Type.Optional(Type.String()), media }),
});
const arrived = withMedia(ArrivedMedia);
const shown = withMedia(ShownMedia);

/** The content of an inbound message, as the engine hands it over. Each message type has its own member. */
export const IncomingContent = Type.Union([
  closed({ type: Type.Literal('text'), content: closed(arrivedText) }),
  closed({ type: Type.Literal('image'), content: arrived.image }),
  closed({ type: Type.Literal('video'), content: arrived.video }),
  closed({ type: Type.Literal('audio'), content: arrived.audio }),
  closed({ type: Type.Literal('document'), content: arrived.document }),
  closed({ type: Type.Literal('location'), content: closed(location) }),
  closed({ type: Type.Literal('contact'), content: closed(contact) }),
  closed({ type: Type.Literal('poll'), content: closed(poll) }),
  closed({ type: Type.Literal('unsupported'), content: closed(unsupported) }),
]);
export type IncomingContentOf = Static<typeof IncomingContent>;

/** `content` of a stored message that came in, as it leaves the gateway. */
export const IncomingRecordContent = Type.Union([
  closed(arrivedText),
  shown.image,
  shown.video,
  shown.audio,
  shown.document,
  closed(location),
  closed(contact),
  closed(poll),
  closed(unsupported),
]);
