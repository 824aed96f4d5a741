import { Type, type Static, type TProperties } from 'typebox';
import { mediaUrl } from '../media-key.ts';
import { capital, closed } from '../shapes.ts';
import { contentFields } from './fields.ts';
import { incomingFields, type IncomingContentOf } from './incoming.ts';
import { ShownMedia } from './media-source.ts';
import type { MessageContent, MessageContentOf } from './outgoing.ts';
import type { StoredType } from './stored-types.ts';

const { text, image, video, audio, document, location, poll } = contentFields;
const { marks, viewOnce, preview, contact, seconds, unsupported, choices, chosen, mentioned } = incomingFields;
const source = {
  url: Type.Optional(
    Type.String({
      description: "Of media that went out: the URL that the send named, or the gateway's own of what was uploaded",
    }),
  ),
  media: Type.Optional(ShownMedia),
};
const member = <const T extends string, P extends TProperties>(type: T, fields: P) =>
  closed({ type: Type.Literal(type), ...fields }, { title: `${capital(type)}Content` });

/**
 * Content of a message as it leaves the gateway: the fields of the type's send route, told apart by `type`. Media that
 * came in stand in `media`, those that went out in `url`.
 */
export const ShownContent = Type.Union(
  [
    member('text', { ...text, ...mentioned, ...preview, ...choices, ...chosen, ...marks }),
    member('image', { ...image, ...mentioned, ...source, ...choices, ...viewOnce, ...marks }),
    member('video', { ...video, ...mentioned, ...source, ...choices, ...viewOnce, ...marks }),
    member('audio', { ...audio, ...seconds, ...source, ...viewOnce, ...marks }),
    member('document', {
      ...document,
      ...mentioned,
      filename: Type.Optional(Type.String()),
      ...source,
      ...choices,
      ...marks,
    }),
    member('sticker', { animated: Type.Optional(Type.Boolean()), media: ShownMedia, ...marks }),
    member('location', { ...location, ...marks }),
    member('contact', { ...contact, ...marks }),
    member('poll', { ...poll, ...mentioned, ...marks }),
    member('unsupported', { ...unsupported, ...viewOnce, ...marks }),
    member('deleted', {}),
  ],
  { title: 'MessageContent', description: '`deleted`: the message was deleted for everyone, and what it said is gone' },
);
export type ShownContentOf = Static<typeof ShownContent>;
export type ShownType = ShownContentOf['type'];

type Untyped<Content> = Content extends unknown ? Omit<Content, 'type'> : never;
/** Content of a message as it is kept beside its type; empty when it was deleted for everyone. */
export type RecordContentOf = Untyped<Exclude<ShownContentOf, { type: 'deleted' }>> | Record<string, never>;

/** A message without what only the engine is told. */
export function toldContent(content: MessageContentOf): Static<typeof MessageContent> {
  if (content.type !== 'audio') return content;
  const { seconds: _, waveform: __, ...told } = content.content;
  return { ...content, content: told };
}

/** Stored content of a message that went out: the fields of its send route, media by URL. */
export function sentRecordContent(sent: MessageContentOf): RecordContentOf {
  if (!('media' in sent)) return sent.content;
  return { ...toldContent(sent).content, url: 'url' in sent.media ? sent.media.url : mediaUrl(sent.media.key) };
}

/** Stored content of a message that came in: media by the gateway's stable URL. */
export function arrivedRecordContent({ content }: Pick<IncomingContentOf, 'content'>): RecordContentOf {
  if (!('media' in content)) return content;
  const { key, ...media } = content.media;
  const { sticker: _, ...said } = { sticker: undefined, ...content };
  return { ...said, media: { ...media, ...(key !== undefined && { url: mediaUrl(key) }) } };
}

/** The engine hands stickers over as pictures, which is what they are to whoever does not know them. */
export const arrivedType = ({ type, content }: IncomingContentOf): StoredType =>
  'sticker' in content && content.sticker === true ? 'sticker' : type;

/** Stored content of a message, as it leaves the gateway. */
export const shownContent = (type: StoredType, kept: RecordContentOf): ShownContentOf =>
  ({ type: isGone(kept) ? 'deleted' : type, ...(!isGone(kept) && kept) }) as ShownContentOf;

/** Erased, it is a text. */
const isGone = (kept: RecordContentOf): boolean => typeof kept !== 'object' || Object.keys(kept).length === 0;
