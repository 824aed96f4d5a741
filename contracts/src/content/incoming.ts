import { Type, type Static } from 'typebox';
import { closed, oneOf } from '../shapes.ts';
import { about, choices, chosen, mentioned, referral } from './received-fields.ts';
import { contentFields } from './fields.ts';
import { ArrivedMedia } from './media-source.ts';

const { text, image, video, audio, document, location, poll } = contentFields;

const contact = {
  contacts: Type.Array(
    closed(
      {
        name: Type.String(),
        phone: Type.Optional(Type.String({ description: 'Digits; absent when the card has none' })),
        ...contentFields.contact,
      },
      { title: 'ContactCard', description: 'Card of a person' },
    ),
  ),
};
/** A preview, as the sender made it, of the page that a text names. */
const LinkPreview = closed(
  {
    url: Type.String({ description: 'As it stands in the text' }),
    title: Type.Optional(Type.String()),
    description: Type.Optional(Type.String()),
  },
  { title: 'LinkPreview' },
);
const preview = { preview: Type.Optional(LinkPreview) };
const seconds = {
  seconds: Type.Optional(Type.Integer({ minimum: 1, description: 'Length, as the sender reports it' })),
};
const unsupported = {
  kind: Type.String({
    description: "The network's name of the kind; `unavailable` for a message that arrived without its content",
  }),
  reason: Type.Optional(
    oneOf(['viewOnce', 'notDelivered', 'notDecrypted'], {
      description:
        'Why the content is unavailable. viewOnce: phones show it once, and linked devices do not receive it. ' +
        'notDelivered: the network has not delivered it to this device. notDecrypted: the device cannot decrypt it.',
    }),
  ),
  text: Type.Optional(Type.String({ description: 'Summary for people, where the kind has one' })),
  ...about,
};
/** Fields that every received content can have. */
const marks = {
  forwarded: Type.Optional(Type.Boolean({ description: 'The sender passed it on from another chat' })),
  expiresInSeconds: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: 'Phones delete the message after this many seconds; the gateway keeps it',
    }),
  ),
  ...referral,
};
const viewOnce = { viewOnce: Type.Optional(Type.Boolean({ description: 'Phones show it once' })) };

/** Fields that only contents on their way in have. */
export const incomingFields = {
  marks,
  viewOnce,
  preview,
  contact,
  seconds,
  unsupported,
  choices,
  chosen,
  mentioned,
} as const;

const sticker = {
  sticker: Type.Optional(Type.Boolean({ description: 'The picture is a sticker' })),
  animated: Type.Optional(Type.Boolean()),
};
const media = { media: ArrivedMedia };

/** The content of an inbound message, as the engine hands it over. Each message type has its own member. */
export const IncomingContent = Type.Union([
  closed({
    type: Type.Literal('text'),
    content: closed({ ...text, ...mentioned, ...preview, ...choices, ...chosen, ...marks }),
  }),
  closed({
    type: Type.Literal('image'),
    content: closed({ ...image, ...mentioned, ...media, ...sticker, ...choices, ...viewOnce, ...marks }),
  }),
  closed({
    type: Type.Literal('video'),
    content: closed({ ...video, ...mentioned, ...media, ...choices, ...viewOnce, ...marks }),
  }),
  closed({ type: Type.Literal('audio'), content: closed({ ...audio, ...seconds, ...media, ...viewOnce, ...marks }) }),
  closed({
    type: Type.Literal('document'),
    content: closed({
      ...document,
      ...mentioned,
      filename: Type.Optional(Type.String()),
      ...media,
      ...choices,
      ...marks,
    }),
  }),
  closed({ type: Type.Literal('location'), content: closed({ ...location, ...marks }) }),
  closed({ type: Type.Literal('contact'), content: closed({ ...contact, ...marks }) }),
  closed({ type: Type.Literal('poll'), content: closed({ ...poll, ...mentioned, ...marks }) }),
  closed({ type: Type.Literal('unsupported'), content: closed({ ...unsupported, ...viewOnce, ...marks }) }),
]);
export type IncomingContentOf = Static<typeof IncomingContent>;
