import { Type, type Static } from 'typebox';
import { closed, oneOf } from '../shapes.ts';
import { contentFields } from './fields.ts';
import { incomingFields } from './incoming.ts';
import { storedTypes, type StoredType } from './stored-types.ts';

const { video, audio, document, location, poll } = contentFields;
const optionals = {
  ...video,
  ...audio,
  ...document,
  ...incomingFields.seconds,
  filename: Type.Optional(Type.String()),
  animated: Type.Optional(Type.Boolean({ description: 'An animated sticker' })),
  latitude: Type.Optional(location.latitude),
  longitude: Type.Optional(location.longitude),
  name: location.name,
  address: location.address,
  contacts: Type.Optional(incomingFields.contact.contacts),
  question: Type.Optional(poll.question),
  options: Type.Optional(poll.options),
  allowMultiple: poll.allowMultiple,
};
const { caption: _, mentions: _mentions, ...fields } = optionals;

/** What a quotation shows of the quoted message beside its text or caption: the type and its small fields, without media. */
export const quotedFields = {
  type: Type.Optional(oneOf(storedTypes, { description: 'Absent when the type is not known' })),
  ...fields,
};
const QuotedFields = closed(quotedFields);
export type QuotedFieldsOf = Static<typeof QuotedFields>;

/** The fields that a quotation shows of a stored message. A deleted message has none but its type. @param content as in records */
export function quotedFieldsOf(type: StoredType, content: object): QuotedFieldsOf {
  const media = 'media' in content && typeof content.media === 'object' ? content.media : {};
  const shown = Object.entries({ ...media, ...content, type }).filter(([name]) => name in quotedFields);
  return Object.fromEntries(shown);
}
