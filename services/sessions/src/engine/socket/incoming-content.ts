import { getContentType, normalizeMessageContent, proto, unpadRandomMax16 } from '@whiskeysockets/baileys';
import type { IncomingContentOf } from '@messaging-gateway/contracts';
import type { Attachment } from '../engine.ts';
import { readVcard } from './contact-cards.ts';
import { mediaOf, mentionsOf } from './incoming-media.ts';
import { keptId } from './message-ids.ts';

/** What is no message of its own: it changes another one, or serves the protocol. */
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

/** What the message says; undefined when it is none for people. */
export function contentOf(message: proto.IMessage): Content | undefined {
  const normal = normalizeMessageContent(message);
  const kind = normal === undefined ? undefined : getContentType(normal);
  if (normal === undefined || kind === undefined || silent.has(kind)) return undefined;
  if (typeof normal.conversation === 'string' && normal.conversation !== '')
    return { content: { type: 'text', content: { text: normal.conversation } } };
  const inner = normal[kind];
  const context = typeof inner === 'object' && inner !== null && 'contextInfo' in inner ? inner.contextInfo : undefined;
  const found = mediaOf(kind, normal) ?? { content: withoutMedia(kind, normal) };
  const quoted = context?.stanzaId;
  return { ...found, ...(quoted && { quotedNetworkMessageId: keptId(quoted) }) };
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

/** What the sender's client showed of the page that the text names. */
function previewOf({ matchedText, title, description }: proto.Message.IExtendedTextMessage): { preview?: LinkPreview } {
  if (!matchedText || !(title || description)) return {};
  return { preview: { url: matchedText, ...(title && { title }), ...(description && { description }) } };
}

const unsupported = (kind: string): IncomingContentOf => ({
  type: 'unsupported',
  content: { kind: kind.replace(/Message(V\d)?$/, '') },
});

/** The poll that a message creates, whichever of the protocol's forms it has. */
export const pollOf = (message: proto.IMessage): proto.Message.IPollCreationMessage | undefined =>
  message.pollCreationMessage ?? message.pollCreationMessageV2 ?? message.pollCreationMessageV3 ?? undefined;

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
