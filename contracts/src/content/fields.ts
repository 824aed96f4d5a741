import { Type } from 'typebox';
import { Jid, closed } from '../shapes.ts';

/** Fields of contents that are the same on their way out, on their way in, and in records. */
const text = { text: Type.String() };
const caption = { caption: Type.Optional(Type.String()) };
const mimetype = { mimetype: Type.Optional(Type.String()) };
const mentions = { mentions: Type.Optional(Type.Array(Jid)) };

export const contentFields = {
  text: { ...text, ...mentions, linkPreview: Type.Optional(Type.Boolean()) },
  image: { ...caption, ...mimetype, ...mentions },
  video: { ...caption, gif: Type.Optional(Type.Boolean()), ...mimetype, ...mentions },
  audio: { ptt: Type.Optional(Type.Boolean({ description: 'A voice note' })), ...mimetype },
  document: { ...caption, ...mimetype, ...mentions },
  location: {
    latitude: Type.Number({ minimum: -90, maximum: 90 }),
    longitude: Type.Number({ minimum: -180, maximum: 180 }),
    name: Type.Optional(Type.String()),
    address: Type.Optional(Type.String()),
  },
  contact: {
    phones: Type.Optional(
      Type.Array(
        closed({
          phone: Type.String({ description: 'Digits' }),
          label: Type.Optional(Type.String({ description: 'As the card names it, for example `Mobile` or `CELL`' })),
        }),
        { description: 'All numbers of the card; `phone` is the first' },
      ),
    ),
    email: Type.Optional(Type.String()),
    organization: Type.Optional(Type.String({ description: 'Company of the person' })),
  },
  poll: {
    question: Type.String(),
    options: Type.Array(Type.String()),
    allowMultiple: Type.Optional(Type.Boolean()),
  },
} as const;
