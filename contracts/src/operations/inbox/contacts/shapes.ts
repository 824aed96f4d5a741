import { Type } from 'typebox';
import { Id, Timestamp, closed, nullable } from '../../../shapes.ts';

/** A phone as clients may write it: digits, also with `+`, spaces, dots, dashes and brackets. */
export const Phone = Type.String({
  title: 'Phone',
  minLength: 1,
  maxLength: 40,
  format: 'phone',
  description: 'Phone, 7–15 digits',
});

/** `;` separates tags in CSV files. */
const Tag = Type.String({
  minLength: 1,
  maxLength: 64,
  format: 'tag',
  description: 'Holds no `;`, begins and ends with no blank',
});
export const Tags = Type.Array(Tag, { maxItems: 100 });
export const ContactName = Type.String({ maxLength: 256 });
export const ContactMetadata = Type.Record(Type.String({ maxLength: 128 }), Type.Unknown(), {
  description: 'Any JSON object, at most 16 KiB',
});

/** Said of somebody to whom nothing goes that is sent to many. */
export const Blocked = Type.Boolean({
  description: 'Broadcasts leave the person out; a mark of the gateway, which the network does not know',
});

/** Fields that a contact is made with, beside its profile. */
export const contactFields = {
  phone: Phone,
  name: Type.Optional(ContactName),
  tags: Type.Optional(Tags),
  metadata: Type.Optional(ContactMetadata),
  blocked: Type.Optional(Blocked),
};

/** An item of an import. */
export const ImportedContact = closed(contactFields, { title: 'ImportedContact' });

/** A contact of one profile, or of the whole organization (`profileId` null). */
export const Contact = closed(
  {
    id: Id,
    profileId: nullable(Id),
    phone: nullable(Type.String({ description: 'Digits; null while the person is known by LID only' })),
    lid: nullable(Type.String({ description: '`<id>@lid`' })),
    previousPhone: Type.Optional(
      Type.String({
        description: 'Digits of the phone number that the person had before. Absent if the number never changed',
      }),
    ),
    name: nullable(Type.String()),
    pushName: nullable(Type.String({ description: 'The name that the person gave on the network' })),
    tags: Type.Array(Type.String()),
    metadata: Type.Record(Type.String(), Type.Unknown()),
    blocked: Blocked,
    lastMessageAt: nullable(Timestamp),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'Contact' },
);

export const contactParams = closed({ id: Id });
