import { Type, type Static, type TObject, type TProperties, type TSchema } from 'typebox';

/** An object without further fields: unknown ones are refused, naming them. */
export const closed = <T extends TProperties>(properties: T, options: { description?: string } = {}): TObject<T> =>
  Type.Object(properties, { additionalProperties: false, ...options });

/** `null` in JSON that leaves. */
export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** One of some words. */
export const oneOf = <const T extends readonly string[]>(words: T, options: { description?: string } = {}) =>
  Type.Unsafe<T[number]>(Type.String({ enum: [...words], ...options }));

/** UUIDv7 of a resource. */
export const Id = Type.String({ format: 'uuid', description: 'UUID' });
/** ISO 8601, UTC, milliseconds. */
export const Timestamp = Type.String({ format: 'date-time', description: 'ISO 8601, UTC, milliseconds' });
/** `<digits>@c.us`, `<id>@g.us` or `<id>@lid`. */
export const Jid = Type.String({
  minLength: 3,
  maxLength: 128,
  description: '`<digits>@c.us`, `<id>@g.us` or `<id>@lid`',
});
/** Where a message goes: digits (also with `+`, spaces, dots, dashes, brackets) or a JID. */
export const Recipient = Type.String({
  minLength: 1,
  maxLength: 128,
  format: 'recipient',
  description: 'Digits, or `<digits>@c.us`, or the full JID of a group',
});
/** A chat of one profile: where its messages go, or the id of the conversation. */
export const Chat = Type.String({
  minLength: 1,
  maxLength: 128,
  format: 'chat',
  description: "A conversation's id, or digits, or `<digits>@c.us`, or the full JID of a group",
});
export const Count = Type.Integer({ minimum: 0 });

/** Query fields of every list. */
export const pageQuery = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'Items in a page' })),
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 512, description: '`nextCursor` of the page before' })),
};

/** Answer of every list: `nextCursor` is null at the end. */
export const page = <T extends TSchema>(item: T) =>
  closed({ items: Type.Array(item), nextCursor: nullable(Type.String()), total: Type.Optional(Count) });

export interface Page<T> {
  items: T[];
  nextCursor: string | null;
  total?: number;
}

export const messageTypes = ['text', 'image', 'video', 'audio', 'document', 'location', 'contact', 'poll'] as const;
export const MessageType = oneOf(messageTypes);

export const messageStatuses = [
  'queued',
  'sending',
  'sent',
  'delivered',
  'read',
  'played',
  'failed',
  'received',
  'deleted',
  'unknown',
] as const;
export const MessageStatus = oneOf(messageStatuses);
export type MessageStatusWord = Static<typeof MessageStatus>;

/** Where a message to the network came from. */
export const Origin = oneOf(['api', 'schedule', 'bulk', 'broadcast', 'automation', 'phone']);

/** The error of a message that failed: a code of `errors.ts` and one sentence. */
export const Failure = closed({ code: Type.String(), message: Type.String() });

/** Typing as a contact sees it. `paused` ends it. */
export const typingStates = ['composing', 'recording', 'paused'] as const;
