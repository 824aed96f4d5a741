import { Type } from 'typebox';
import { Jid } from '../shapes.ts';

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
  poll: {
    question: Type.String(),
    options: Type.Array(Type.String()),
    allowMultiple: Type.Optional(Type.Boolean()),
  },
} as const;
