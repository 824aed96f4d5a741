import { proto, unpadRandomMax16 } from '@whiskeysockets/baileys';
import {
  arrivedRecordContent,
  arrivedType,
  quotedFieldsOf,
  type IncomingContentOf,
  type QuotedFieldsOf,
} from '@messaging-gateway/contracts';
import type { Attachment } from '../../engine.ts';
import { isSelf, person, type Self } from '../wire-format/addresses.ts';
import { readVcard } from '../wire-format/contact-cards.ts';
import { isContent, openMessage, shortName, type Kind, type OpenedMessage } from '../wire-format/message-kinds.ts';
import { withKnownFields } from '../wire-format/newer-fields.ts';
import { pollOf } from '../wire-format/polls.ts';
import { keptId } from '../wire-format/message-names.ts';
import type { SignalState } from '../signal/signal-state.ts';
import { aboutOf } from './about.ts';
import { answerOf, choicesOf, lines, type ChoiceMessage } from './choices.ts';

type LinkPreview = NonNullable<Extract<IncomingContentOf, { type: 'text' }>['content']['preview']>;

export interface Content {
  readonly content: IncomingContentOf;
  readonly quotedNetworkMessageId?: string;
  /** Text or caption of the quoted message, as the sender's client has it. */
  readonly quotedBody?: string;
  readonly quotedFields?: QuotedFieldsOf;
  readonly attachment?: Attachment;
}

/** The client that reads a message. */
interface Reader {
  readonly self: Self;
  readonly state: SignalState;
}

/** The decoded message behind the copy that own devices get. */
export function decodeMessage(plaintext: Uint8Array): proto.IMessage {
  const message = proto.Message.decode(withKnownFields(unpadRandomMax16(plaintext)));
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
export async function contentOf(message: proto.IMessage, reader: Reader): Promise<Content | undefined> {
  const opened = openMessage(message);
  const found = contentIn(opened);
  if (found === undefined) return undefined;
  const { contextInfo, ...content } = found;
  const mentions = canMention(content.content) ? await mentionsOf(contextInfo, reader) : {};
  Object.assign(content.content.content, mentions, marksOf(contextInfo));
  return { ...content, ...quotedIn(contextInfo) };
}

interface Found extends WithMedia {
  readonly contextInfo?: proto.IContextInfo | null | undefined;
}

/** Content as far as the message itself tells it: without people and marks of its context. */
function contentIn(opened: OpenedMessage): Found | undefined {
  const { kind, message } = opened;
  if (kind === undefined || !isContent(kind) || isPart(opened)) return undefined;
  const choices = choicesOf(message);
  if (choices !== undefined && !isEmpty(choices)) return withChoices(choices, opened);
  const answer = answerOf(message);
  if (answer !== undefined && answer.text !== '') {
    const { text, chosen, contextInfo } = answer;
    return { content: { type: 'text', content: { text, ...(chosen && { chosen }) } }, contextInfo };
  }
  const inner = message[kind];
  const contextInfo =
    typeof inner === 'object' && inner !== null && 'contextInfo' in inner ? inner.contextInfo : undefined;
  return { ...(mediaOf(kind, message, opened.wrappers) ?? { content: withoutMedia(kind, message) }), contextInfo };
}

const { AssociationType } = proto.MessageAssociation;
/** Parts of another message that phones do not show beside it: its moving form, its form in another codec, its pictures. */
const parts: ReadonlySet<number> = new Set([
  AssociationType.MOTION_PHOTO,
  AssociationType.HEVC_VIDEO_DUAL_UPLOAD,
  AssociationType.EVENT_COVER_IMAGE,
  AssociationType.MEDIA_POLL,
  AssociationType.STICKER_ANNOTATION,
]);
const isPart = ({ context: { messageAssociation } }: OpenedMessage): boolean =>
  Boolean(messageAssociation?.parentMessageKey?.id) && parts.has(messageAssociation?.associationType ?? 0);

const isEmpty = ({ text, choices, header }: ChoiceMessage): boolean =>
  text === '' && choices.length === 0 && header === undefined;

/** Text with choices, or the media of the header with the text as their caption. */
function withChoices({ text, choices: found, header, contextInfo }: ChoiceMessage, opened: OpenedMessage): Found {
  const choices = found.length === 0 ? {} : { choices: [...found] };
  const kind = header && openMessage(header).kind;
  const media = header && kind && mediaOf(kind, header, opened.wrappers);
  if (!media) return { content: { type: 'text', content: { text, ...choices } }, contextInfo };
  const { content } = media;
  if (content.type === 'image' || content.type === 'video' || content.type === 'document')
    Object.assign(content.content, text !== '' && { caption: text }, choices);
  return { ...media, contextInfo };
}

/** The quoted message as the sender's client shows it: id, text or caption, type and small fields. */
function quotedIn(
  context: proto.IContextInfo | null | undefined,
): Pick<Content, 'quotedNetworkMessageId' | 'quotedBody' | 'quotedFields'> {
  if (!context?.stanzaId) return {};
  const id = { quotedNetworkMessageId: keptId(context.stanzaId) };
  const found = context.quotedMessage ? contentIn(openMessage(context.quotedMessage))?.content : undefined;
  if (found === undefined) return id;
  const { text, caption } = { text: undefined, caption: undefined, ...found.content };
  const body = text ?? caption;
  return {
    ...id,
    ...(body && { quotedBody: body }),
    ...(found.type !== 'unsupported' && {
      quotedFields: quotedFieldsOf(arrivedType(found), arrivedRecordContent(found)),
    }),
  };
}

const onceWrappers: ReadonlySet<string> = new Set<Kind>([
  'viewOnceMessage',
  'viewOnceMessageV2',
  'viewOnceMessageV2Extension',
]);

/** Whether phones show the content once, by the wrapper around it. */
const isViewOnce = (wrappers: readonly Kind[]): boolean => wrappers.some((wrapper) => onceWrappers.has(wrapper));

function withoutMedia(kind: Kind, message: proto.IMessage): IncomingContentOf {
  if (message.conversation) return { type: 'text', content: { text: message.conversation } };
  const text = message.extendedTextMessage;
  if (text) return { type: 'text', content: { text: text.text ?? '', ...previewOf(text) } };
  const place = message.locationMessage ?? message.liveLocationMessage;
  if (place) return locationOf(place) ?? unsupported(kind, message);
  const cards = message.contactMessage ? [message.contactMessage] : message.contactsArrayMessage?.contacts;
  if (cards)
    return {
      type: 'contact',
      content: { contacts: cards.map(({ vcard, displayName }) => readVcard(vcard ?? '', displayName ?? '')) },
    };
  const said = lines(...(message.richResponseMessage?.submessages ?? []).map(({ messageText }) => messageText));
  if (said !== '') return { type: 'text', content: { text: said } };
  const poll = pollOf(message);
  return poll === undefined ? unsupported(kind, message) : pollContent(poll);
}

/** The preview that the sender's client showed of the page that the text names. */
function previewOf({ matchedText, title, description }: proto.Message.IExtendedTextMessage): { preview?: LinkPreview } {
  if (!matchedText || !(title || description)) return {};
  return { preview: { url: matchedText, ...(title && { title }), ...(description && { description }) } };
}

const unsupported = (kind: Kind, message: proto.IMessage): IncomingContentOf => ({
  type: 'unsupported',
  content: { kind: shortName(kind), ...aboutOf(message) },
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
function mediaOf(kind: Kind, message: proto.IMessage, wrappers: readonly Kind[]): WithMedia | undefined {
  const type = types[kind];
  if (type === undefined) return undefined;
  const inner = message[kind] as Media;
  const { caption, mimetype, fileLength, fileName, title } = inner;
  const filename = type === 'document' ? fileName || title || undefined : undefined;
  const media = {
    mimetype: mimetype || usual[type],
    size: Math.max(0, Math.trunc(Number(fileLength ?? 0))),
    ...(filename !== undefined && { filename }),
  };
  const said = caption ? { caption } : {};
  const attachment = attachmentOf(type, inner, media.size);
  const once = isViewOnce(wrappers) || inner.viewOnce === true ? { viewOnce: true } : {};
  const isAnimated = inner.isAnimated === true || inner.isLottie === true || wrappers.includes('lottieStickerMessage');
  const sticker = kind === 'stickerMessage' ? { sticker: true, ...(isAnimated && { animated: true }) } : {};
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
  { gifPlayback, ptt, seconds }: Media,
  media: { mimetype: string; size: number; filename?: string },
  { caption, sticker, animated, viewOnce }: SaidOfMedia,
): IncomingContentOf {
  const said = caption === undefined ? {} : { caption };
  const once = viewOnce === true ? { viewOnce } : {};
  switch (type) {
    case 'image': {
      const drawn = sticker === true ? { sticker, ...(animated === true && { animated }) } : {};
      return { type, content: { ...said, ...drawn, ...once, media } };
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

const canMention = ({ type }: IncomingContentOf): boolean =>
  ['text', 'image', 'video', 'document', 'poll'].includes(type);

/** A text that names somebody: whoever writes may have put anything there. */
const someone = /^[\w.:-]{1,64}@[\w.]{1,32}$/;
/** Mentions whose number is looked up, at most. */
const maxMentions = 1_024;

/** The people who are mentioned: by number where it is known, else as the sender named them. */
async function mentionsOf(
  context: proto.IContextInfo | null | undefined,
  { self, state }: Reader,
): Promise<{ mentions?: string[]; mentionsMe?: true; mentionsAll?: true }> {
  const named = (context?.mentionedJid ?? []).filter((jid) => someone.test(jid)).slice(0, maxMentions);
  const mentions = await Promise.all(
    named.map(async (jid) => {
      if (isSelf(jid, self)) return `${self.phone}@c.us`;
      return (await person(jid, undefined, state))?.jid ?? jid;
    }),
  );
  return {
    ...(mentions.length > 0 && { mentions }),
    ...(named.some((jid) => isSelf(jid, self)) && { mentionsMe: true }),
    ...((context?.nonJidMentions ?? 0) > 0 && { mentionsAll: true }),
  };
}

type Marks = Pick<IncomingContentOf['content'], 'forwarded' | 'expiresInSeconds' | 'referral'>;

function marksOf(context: proto.IContextInfo | null | undefined): Marks {
  const referral = referralOf(context);
  const seconds = context?.expiration ?? 0;
  return {
    ...(context?.isForwarded === true && { forwarded: true }),
    ...(seconds > 0 && { expiresInSeconds: seconds }),
    ...(referral !== undefined && { referral }),
  };
}

/** The ad that a message comes from. The same field carries previews that are no ads. */
function referralOf(context: proto.IContextInfo | null | undefined): Marks['referral'] {
  const ad = context?.externalAdReply;
  if (!ad || !(ad.sourceType || ad.sourceId || ad.ctwaClid || ad.showAdAttribution)) return undefined;
  const { sourceType, sourceId, sourceUrl, title, body, ctwaClid } = ad;
  const entryPoint = context?.entryPointConversionSource;
  return {
    ...(sourceType && { sourceType }),
    ...(sourceId && { sourceId }),
    ...(sourceUrl && { sourceUrl }),
    ...(title && { title }),
    ...(body && { body }),
    ...(ctwaClid && { ctwaClid }),
    ...(entryPoint && { entryPoint }),
  };
}
