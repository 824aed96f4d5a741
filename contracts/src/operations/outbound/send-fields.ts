import { Type, type TProperties } from 'typebox';
import { Base64Media, MediaUrl, type MediaKind } from '../../media.ts';
import { Id, Recipient, closed } from '../../shapes.ts';

const name = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 1024, description }));

export const words = Type.String({ minLength: 1, maxLength: 65_536, description: 'Length in UTF-16 units' });
export const mentions = Type.Optional(Type.Array(Recipient, { maxItems: 1024, description: 'People named by `@`' }));
/** The message that is quoted. */
const quoting = {
  quotedMessageId: Type.Optional({
    ...Id,
    description:
      'The message that is quoted, whatever its type. A message of another chat is refused with 400, except a message of a group that is quoted to its author',
  }),
};

export const locationFields = {
  latitude: Type.Number({ minimum: -90, maximum: 90, description: 'Degrees' }),
  longitude: Type.Number({ minimum: -180, maximum: 180, description: 'Degrees' }),
  name: name('Name of the place'),
  address: name('Address of the place'),
};

const phoneForm = '7–15 digits; `+`, spaces, dots, dashes, brackets and invisible characters allowed';
const phone = Type.String({ minLength: 1, maxLength: 128, format: 'phone', description: phoneForm });

export const contactFields = {
  contacts: Type.Array(
    closed(
      {
        name: Type.String({ minLength: 1, maxLength: 256 }),
        phone: Type.Optional({
          ...phone,
          description: `${phoneForm}. First number of the card. May be absent when \`phones\` is given`,
        }),
        phones: Type.Optional(
          Type.Array(
            closed({
              phone,
              label: Type.Optional(
                Type.String({
                  minLength: 1,
                  maxLength: 128,
                  description: 'Shown beside the number, for example `Work`',
                }),
              ),
            }),
            { minItems: 1, maxItems: 20, description: 'All numbers of the card' },
          ),
        ),
        email: Type.Optional(Type.String({ maxLength: 254, format: 'email' })),
        organization: Type.Optional(
          Type.String({ minLength: 1, maxLength: 256, description: 'Company of the person' }),
        ),
      },
      { title: 'ContactCardToSend', description: 'Card of a person' },
    ),
    { minItems: 1, maxItems: 50 },
  ),
};

export const pollFields = {
  question: Type.String({ minLength: 1, maxLength: 1024 }),
  options: Type.Array(Type.String({ minLength: 1, maxLength: 256 }), { minItems: 2, maxItems: 12, uniqueItems: true }),
  allowMultiple: Type.Optional(Type.Boolean({ description: 'Several options may be chosen' })),
};

/** Body of a route that sends a message of its own: who, to whom, and the fields of its type. */
export const sendBody = <const T extends TProperties>(fields: T) =>
  closed({ profileId: Id, to: Recipient, ...fields, ...quoting });

const mimetype = Type.Optional(
  Type.String({
    format: 'media-type',
    maxLength: 255,
    description: 'Believed only where the bytes do not tell',
  }),
);
const caption = Type.Optional(words);

export const imageFields = { caption, mimetype, mentions };
export const videoFields = {
  caption,
  mimetype,
  gif: Type.Optional(Type.Boolean({ description: 'Plays by itself, in a loop' })),
  mentions,
};
export const audioFields = {
  mimetype,
  ptt: Type.Optional(
    Type.Boolean({
      description:
        'A voice note. Phones play those in Ogg with Opus, which is sent as it is. WAV, MP3, M4A (AAC), WebM and other Ogg are ' +
        'converted before the message is accepted, up to one hour, where `GET /health/ready` says `voiceNotes: converted`; elsewhere they are ' +
        'refused with 422. Without `ptt` phones play MP3, M4A and Ogg as files; uploads and base64 in WebM, Matroska, 3GPP, QuickTime and ' +
        'MP4 video containers are converted to Ogg as well.',
    }),
  ),
};
export const documentFields = {
  filename: Type.String({ minLength: 1, maxLength: 255, description: 'Shown to the recipient' }),
  caption,
  mimetype,
  mentions,
};

/** Body of a route that sends media: `sendBody` with where they come from, exactly one of `url` and `base64`. */
export const mediaBody = <const T extends TProperties>(kind: MediaKind, fields: T) =>
  sendBody({
    url: Type.Optional(MediaUrl),
    base64: Type.Optional(Base64Media(kind)),
    ...fields,
  });
