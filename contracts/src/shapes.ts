import { Type, type Static, type TObject, type TProperties, type TSchema, type TUnsafe } from 'typebox';

/** Words about a schema. Under its title, one word, it stands in the OpenAPI document once, and elsewhere as a reference. */
interface Words {
  readonly title?: string;
  readonly description?: string;
}

/** An object without further fields: unknown ones are refused, naming them. */
export const closed = <T extends TProperties>(properties: T, options: Words = {}): TObject<T> =>
  Type.Object(properties, { additionalProperties: false, ...options });

/** `null` in JSON that leaves. */
export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** One of some words. */
export const oneOf = <const T extends readonly string[]>(words: T, options: Words = {}) =>
  Type.Unsafe<T[number]>(Type.String({ enum: [...words], ...options }));

/** UUIDv7 of a resource. */
export const Id = Type.String({ format: 'uuid', description: 'UUID' });
/** ISO 8601, UTC, milliseconds. */
export const Timestamp = Type.String({ format: 'date-time', description: 'ISO 8601, UTC, milliseconds' });
/** `<digits>@c.us`, `<id>@g.us` or `<id>@lid`. */
export const Jid = Type.String({
  title: 'Jid',
  minLength: 3,
  maxLength: 128,
  description: '`<digits>@c.us`, `<id>@g.us` or `<id>@lid`',
});
/** Where a message goes: digits (also with `+`, spaces, dots, dashes, brackets, invisible characters) or a JID. */
export const Recipient = Type.String({
  title: 'Recipient',
  minLength: 1,
  maxLength: 128,
  format: 'recipient',
  description: 'Digits, or `<digits>@c.us`, or the full JID of a group',
});
/** A chat of one profile: where its messages go, or the id of the conversation. */
export const Chat = Type.String({
  title: 'Chat',
  minLength: 1,
  maxLength: 128,
  format: 'chat',
  description: "A conversation's id, or digits, or `<digits>@c.us`, or the full JID of a group",
});
export const Count = Type.Integer({ minimum: 0 });

/** A word with a capital, as titles begin. */
export const capital = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;

/**
 * An object of these fields with `type` and `content`: each type has its own member, chosen by `type`, so that who knows
 * the type knows the content.
 *
 * @param title of all of them; that of a member begins with its type: `TextBulkMessage`
 */
export const byType = <Whole>(
  title: string,
  fields: TProperties,
  contents: Readonly<Record<string, TSchema>>,
): TUnsafe<Whole> =>
  Type.Unsafe<Whole>({
    title,
    type: 'object',
    required: ['type'],
    discriminator: { propertyName: 'type' },
    oneOf: Object.entries(contents).map(([type, content]) =>
      closed({ ...fields, type: Type.Literal(type), content }, { title: `${capital(type)}${title}` }),
    ),
  });

/** Query fields of every list. */
export const pageQuery = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'Items in a page' })),
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 512, description: '`nextCursor` of the page before' })),
};

const afterEventMark = 'x-after-event';

/** Query field of reads whose views follow events: the gateway has the owner wait until its view has that event. */
export const afterEvent = {
  after: Type.Optional(
    Type.String({
      format: 'uuid',
      description:
        'Id of an event that a webhook, `GET /events` or Kafka told: what is read has that event already, waiting 5 seconds for it at most. One of a minute ago or longer is not waited for',
      [afterEventMark]: true,
    }),
  ),
};

/** Whether a query has the field of `afterEvent`. */
export const takesAfterEvent = (query: TObject | undefined): boolean =>
  query?.properties['after'] !== undefined && afterEventMark in query.properties['after'];

/** Answer of every list: `nextCursor` is null at the end. */
export const page = <T extends TSchema>(item: T) =>
  closed(
    {
      items: Type.Array(item),
      nextCursor: nullable(Type.String({ description: '`cursor` of the next page; null at the end' })),
      total: Type.Optional({ ...Count, description: 'How many there are on all pages, where that is known' }),
    },
    titled(item, 'Page'),
  );

/** The title of what is made of a schema that has one. */
const titled = (of: TSchema, word: string): Words =>
  'title' in of && typeof of.title === 'string' ? { title: `${of.title}${word}` } : {};

export interface Page<T> {
  items: T[];
  nextCursor: string | null;
  total?: number;
}

export const messageTypes = ['text', 'image', 'video', 'audio', 'document', 'location', 'contact', 'poll'] as const;
export const MessageType = oneOf(messageTypes, { title: 'MessageType' });

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
export const MessageStatus = oneOf(messageStatuses, { title: 'MessageStatus' });
export type MessageStatusWord = Static<typeof MessageStatus>;

/** Where a message to the network came from. */
export const Origin = oneOf(['api', 'schedule', 'bulk', 'broadcast', 'automation', 'phone'], { title: 'Origin' });

/** The error of a message that failed: a code of `errors.ts` and one sentence. */
export const Failure = closed({ code: Type.String(), message: Type.String() }, { title: 'Failure' });

/** Why a broadcast cannot go on, or could not start. */
export const BroadcastFailedReason = oneOf(
  ['PROFILE_DELETED', 'NOT_CONNECTED', 'NO_RECIPIENTS', 'TOO_MANY', 'TEMPLATE', 'ERASED'],
  { title: 'BroadcastFailedReason' },
);

/** Typing as a contact sees it. `paused` ends it. */
export const typingStates = ['composing', 'recording', 'paused'] as const;
