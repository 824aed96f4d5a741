import { getContentType, normalizeMessageContent, proto, unpadRandomMax16 } from '@whiskeysockets/baileys';
import {
  arrivedRecordContent,
  arrivedType,
  quotedFieldsOf,
  type IncomingContentOf,
  type QuotedFieldsOf,
} from '@messaging-gateway/contracts';
import type { Attachment } from '../../engine.ts';
import { readVcard } from '../wire-format/contact-cards.ts';
import { pollOf } from '../wire-format/polls.ts';
import { keptId } from '../wire-format/message-names.ts';

/** Kinds that are no message of their own: they change another one, or serve the protocol. */
const silent = new Set([
  'protocolMessage',
  'senderKeyDistributionMessage',
  'fastRatchetKeySenderKeyDistributionMessage',
  'messageContextInfo',
  'reactionMessage',
  'encReactionMessage',
  'pollUpdateMessage',
  'keepInChatMessage',
  'pinInChatMessage',
  'editedMessage',
  'placeholderMessage',
  'deviceSentMessage',
  'messageHistoryBundle',
  'albumMessage',
]);

type LinkPreview = NonNullable<Extract<IncomingContentOf, { type: 'text' }>['content']['preview']>;

export interface Content {
  readonly content: IncomingContentOf;
  readonly quotedNetworkMessageId?: string;
  /** Text or caption of the quoted message, as the sender's client has it. */
  readonly quotedBody?: string;
  readonly quotedFields?: QuotedFieldsOf;
  readonly attachment?: Attachment;
}

/** The decoded message behind the wrappers of the protocol: own devices' copies, disappearing messages and the like. */
export function decodeMessage(plaintext: Uint8Array): proto.IMessage {
  const message = proto.Message.decode(unpadRandomMax16(plaintext));
  const sent = message.deviceSentMessage?.message;
  if (sent === undefined || sent === null) return message;
  // The secret of a poll can stand beside the copy.
  const messageContextInfo = sent.messageContextInfo ?? message.messageContextInfo;
  return messageContextInfo === undefined || messageContextInfo === null ? sent : { ...sent, messageContextInfo };
}

/** The library works on with these when it sees them again; all others are done once they are kept. */
export const isForLibrary = (message: proto.IMessage): boolean =>
  (message.protocolMessage ?? message.senderKeyDistributionMessage ?? undefined) !== undefined;

/** The content of a message; undefined when it is none for people. */
export function contentOf(message: proto.IMessage): Content | undefined {
  const found = ownContentOf(message);
  if (found === undefined) return undefined;
  const { context, ...content } = found;
  if (context?.isForwarded === true) content.content.content.forwarded = true;
  return { ...content, ...quotedIn(context) };
}

/** The content of a message without what its context adds: marks, and the message that it quotes. */
function ownContentOf(
  message: proto.IMessage,
): (WithMedia & { readonly context?: proto.IContextInfo | null | undefined }) | undefined {
  const normal = normalizeMessageContent(message);
  const kind = normal === undefined ? undefined : getContentType(normal);
  if (normal === undefined || kind === undefined || silent.has(kind)) return undefined;
  if (typeof normal.conversation === 'string' && normal.conversation !== '')
    return { content: { type: 'text', content: { text: normal.conversation } } };
  const inner = normal[kind];
  const context = typeof inner === 'object' && inner !== null && 'contextInfo' in inner ? inner.contextInfo : undefined;
  const found = mediaOf(kind, normal, isViewOnce(message)) ?? { content: withoutMedia(kind, normal) };
  return { ...found, context };
}

/** The quoted message as the sender's client shows it: id, text or caption, type and small fields. */
function quotedIn(
  context: proto.IContextInfo | null | undefined,
): Pick<Content, 'quotedNetworkMessageId' | 'quotedBody' | 'quotedFields'> {
  if (!context?.stanzaId) return {};
  const found = context.quotedMessage ? ownContentOf(context.quotedMessage)?.content : undefined;
  const id = { quotedNetworkMessageId: keptId(context.stanzaId) };
  if (found === undefined || found.type === 'unsupported') return id;
  const { text, caption } = { text: undefined, caption: undefined, ...found.content };
  const body = text ?? caption;
  const fields = quotedFieldsOf(arrivedType(found), arrivedRecordContent(found));
  return { ...id, ...(body && { quotedBody: body }), quotedFields: fields };
}

/** Whether phones show what is inside once, by the wrapper around it. */
function isViewOnce({ ephemeralMessage, ...message }: proto.IMessage): boolean {
  const { viewOnceMessage, viewOnceMessageV2, viewOnceMessageV2Extension } = ephemeralMessage?.message ?? message;
  return (viewOnceMessage ?? viewOnceMessageV2 ?? viewOnceMessageV2Extension ?? undefined) !== undefined;
}

function withoutMedia(kind: string, message: proto.IMessage): IncomingContentOf {
  const text = message.extendedTextMessage;
  if (text)
    return { type: 'text', content: { text: text.text ?? '', ...mentionsOf(text.contextInfo), ...previewOf(text) } };
  const place = message.locationMessage ?? message.liveLocationMessage;
  if (place) return locationOf(place) ?? unsupported(kind);
  const cards = message.contactMessage ? [message.contactMessage] : message.contactsArrayMessage?.contacts;
  if (cards)
    return {
      type: 'contact',
      content: { contacts: cards.map(({ vcard, displayName }) => readVcard(vcard ?? '', displayName ?? '')) },
    };
  const poll = pollOf(message);
  return poll === undefined ? unsupported(kind) : pollContent(poll);
}

/** The preview that the sender's client showed of the page that the text names. */
function previewOf({ matchedText, title, description }: proto.Message.IExtendedTextMessage): { preview?: LinkPreview } {
  if (!matchedText || !(title || description)) return {};
  return { preview: { url: matchedText, ...(title && { title }), ...(description && { description }) } };
}

const unsupported = (kind: string): IncomingContentOf => ({
  type: 'unsupported',
  content: { kind: kind.replace(/Message(V\d)?$/, '') },
});

const pollContent = ({ name, options, selectableOptionsCount }: proto.Message.IPollCreationMessage) => ({
  type: 'poll' as const,
  content: {
    question: name ?? '',
    options: (options ?? []).map(({ optionName }) => optionName ?? ''),
    ...(selectableOptionsCount !== 1 && { allowMultiple: true }),
  },
});

/** A place outside of the globe is none. */
function locationOf(place: proto.Message.ILocationMessage): IncomingContentOf | undefined {
  const { degreesLatitude: latitude, degreesLongitude: longitude, name, address } = place;
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return undefined;
  if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) return undefined;
  return { type: 'location', content: { latitude, longitude, ...(name && { name }), ...(address && { address }) } };
}

type Media = proto.Message.IImageMessage &
  proto.Message.IVideoMessage &
  proto.Message.IAudioMessage &
  proto.Message.IDocumentMessage &
  proto.Message.IStickerMessage;

/** A message with media: what it says, and where they are to be had. */
interface WithMedia {
  readonly content: IncomingContentOf;
  readonly attachment?: Attachment;
}

/** Media types of media whose sender names none. */
const usual = { image: 'image/jpeg', video: 'video/mp4', audio: 'audio/ogg', document: 'application/octet-stream' };

/** A sticker is a picture, which is said beside. */
const types: Readonly<Record<string, Attachment['type']>> = {
  imageMessage: 'image',
  stickerMessage: 'image',
  videoMessage: 'video',
  ptvMessage: 'video',
  audioMessage: 'audio',
  documentMessage: 'document',
};

/** Undefined for what carries no media. @param kind field of the message, as `imageMessage` */
function mediaOf(kind: string, message: proto.IMessage, isWrapped: boolean): WithMedia | undefined {
  const type = types[kind];
  if (type === undefined) return undefined;
  const inner = message[kind as keyof proto.IMessage] as Media;
  const { caption, mimetype, fileLength, fileName, title } = inner;
  const filename = type === 'document' ? fileName || title || undefined : undefined;
  const media = {
    mimetype: mimetype || usual[type],
    size: Math.max(0, Math.trunc(Number(fileLength ?? 0))),
    ...(filename !== undefined && { filename }),
  };
  const said = caption ? { caption } : {};
  const attachment = attachmentOf(type, inner, media.size);
  const once = isWrapped || inner.viewOnce === true ? { viewOnce: true } : {};
  const sticker =
    kind === 'stickerMessage' ? { sticker: true, ...(inner.isAnimated === true && { animated: true }) } : {};
  const content = mediaContent(type, inner, media, { ...said, ...once, ...sticker });
  return { content, ...(attachment !== undefined && { attachment }) };
}

interface SaidOfMedia {
  readonly caption?: string;
  readonly sticker?: boolean;
  readonly animated?: boolean;
  readonly viewOnce?: boolean;
}

function mediaContent(
  type: Attachment['type'],
  { gifPlayback, ptt, seconds, contextInfo }: Media,
  media: { mimetype: string; size: number; filename?: string },
  { caption, sticker, animated, viewOnce }: SaidOfMedia,
): IncomingContentOf {
  const mentions = mentionsOf(contextInfo);
  const said = caption === undefined ? {} : { caption };
  const once = viewOnce === true ? { viewOnce } : {};
  switch (type) {
    case 'image': {
      const drawn = sticker === true ? { sticker, ...(animated === true && { animated }) } : {};
      return { type, content: { ...said, ...mentions, ...drawn, ...once, media } };
    }
    case 'video':
      return { type, content: { ...said, ...(gifPlayback === true && { gif: true }), ...once, media } };
    case 'audio':
      return {
        type,
        content: { ...(ptt === true && { ptt: true }), ...(seconds && { seconds }), ...once, media },
      };
    case 'document':
      return {
        type,
        content: { ...said, ...(media.filename !== undefined && { filename: media.filename }), media },
      };
  }
}

/** A text that names somebody: whoever writes may have put anything there. */
const someone = /^[\w.:-]{1,64}@[\w.]{1,32}$/;

/** The people who are mentioned, as the gateway names them. */
function mentionsOf(context: proto.IContextInfo | null | undefined): { mentions?: string[] } {
  const named = (context?.mentionedJid ?? []).filter((jid) => someone.test(jid));
  const mentions = named.map((jid) => jid.replace(/(:\d+)?@s\.whatsapp\.net$/, '@c.us'));
  return mentions.length > 0 ? { mentions } : {};
}

/** Undefined when the sender left out what is needed to fetch and to read them. */
function attachmentOf(type: Attachment['type'], inner: Media, size: number): Attachment | undefined {
  const { mediaKey, directPath, url, fileSha256 } = inner;
  if (!mediaKey?.length || !(directPath || url)) return undefined;
  return {
    type,
    key: Buffer.from(mediaKey).toString('base64'),
    ...(directPath && { directPath }),
    ...(url && { url }),
    ...(fileSha256?.length && { sha256: Buffer.from(fileSha256).toString('hex') }),
    size,
  };
}
