import { Type, type Static } from 'typebox';
import { mediaUrl } from '../media-key.ts';
import { closed } from '../shapes.ts';
import { contentFields } from './fields.ts';
import { IncomingRecordContent, type IncomingContentOf } from './incoming.ts';
import type { MessageContentOf } from './outgoing.ts';

const { image, video, audio, document } = contentFields;
const url = Type.String({ description: "The URL that the send named, or the gateway's own of what was uploaded" });

/** `content` of a message record: the fields of the type's send route; media that came in as `media`. */
export const RecordContent = Type.Union([
  ...IncomingRecordContent.anyOf,
  closed({ ...image, url }),
  closed({ ...video, url }),
  closed({ ...audio, url }),
  closed({ filename: Type.String(), ...document, url }),
]);
export type RecordContentOf = Static<typeof RecordContent>;

/** `content` of the record of a message that went out: the fields of its send route, media by URL. */
export function sentRecordContent(sent: MessageContentOf): RecordContentOf {
  if (!('media' in sent)) return sent.content;
  return { ...sent.content, url: 'url' in sent.media ? sent.media.url : mediaUrl(sent.media.key) };
}

/** `content` of the record of a message that came in: media by the gateway's stable URL. */
export function arrivedRecordContent({ content }: Pick<IncomingContentOf, 'content'>): RecordContentOf {
  if (!('media' in content)) return content;
  const { key, ...media } = content.media;
  return { ...content, media: { ...media, ...(key !== undefined && { url: mediaUrl(key) }) } };
}
