import { getContentType, normalizeMessageContent, proto, unpadRandomMax16 } from '@whiskeysockets/baileys';
import type { IncomingContentOf } from '@messaging-gateway/contracts';

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

export interface Content {
  readonly content: IncomingContentOf;
  readonly quotedNetworkMessageId?: string;
}

/** The decoded message behind the wrappers of the protocol: own devices' copies, disappearing messages and the like. */
export function decodeMessage(plaintext: Uint8Array): proto.IMessage {
  const message = proto.Message.decode(unpadRandomMax16(plaintext));
  return message.deviceSentMessage?.message ?? message;
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
  const text = normal.extendedTextMessage;
  if (text !== undefined && text !== null) return withQuote(textOf(text), text.contextInfo);
  const inner = normal[kind];
  const context = typeof inner === 'object' && inner !== null && 'contextInfo' in inner ? inner.contextInfo : undefined;
  return withQuote({ type: 'unsupported', content: { kind: kind.replace(/Message(V\d)?$/, '') } }, context);
}

function textOf(message: proto.Message.IExtendedTextMessage): IncomingContentOf {
  const mentioned = message.contextInfo?.mentionedJid ?? [];
  const mentions = mentioned.map((jid) => jid.replace(/(:\d+)?@s\.whatsapp\.net$/, '@c.us'));
  return { type: 'text', content: { text: message.text ?? '', ...(mentions.length > 0 && { mentions }) } };
}

function withQuote(content: IncomingContentOf, context: proto.IContextInfo | null | undefined): Content {
  const quoted = context?.stanzaId;
  return quoted === undefined || quoted === null || quoted === ''
    ? { content }
    : { content, quotedNetworkMessageId: quoted };
}
