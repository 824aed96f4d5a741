import { normalizeMessageContent, proto } from '@whiskeysockets/baileys';

/** Type of a message for the network, which knows no more of its content: attributes of its stanza and of the encrypted part. */
export type EnvelopeType = { type: 'text' | 'media' | 'reaction' | 'poll'; edit?: string; mediatype?: string };

const MEDIA_TYPES: [keyof proto.IMessage, string][] = [
  ['imageMessage', 'image'],
  ['stickerMessage', 'sticker'],
  ['documentMessage', 'document'],
  ['locationMessage', 'location'],
  ['contactMessage', 'vcard'],
  ['contactsArrayMessage', 'contact_array'],
];
const EDITED = '1';
const REVOKED = '7';

export function envelopeType(message: proto.IMessage): EnvelopeType {
  const content = normalizeMessageContent(message) ?? {};
  const { MESSAGE_EDIT, REVOKE } = proto.Message.ProtocolMessage.Type;
  if (content.protocolMessage?.type === MESSAGE_EDIT) return { type: 'text', edit: EDITED };
  if (content.protocolMessage?.type === REVOKE) return { type: 'text', edit: REVOKED };
  // A reaction that is taken back counts as one that is revoked.
  if (content.encReactionMessage) return { type: 'reaction' };
  if (content.reactionMessage)
    return { type: 'reaction', ...(content.reactionMessage.text === '' && { edit: REVOKED }) };
  if (content.pollCreationMessage ?? content.pollCreationMessageV3 ?? content.pollUpdateMessage)
    return { type: 'poll' };
  const mediatype = mediaTypeOf(content);
  return mediatype === undefined ? { type: 'text' } : { type: 'media', mediatype };
}

function mediaTypeOf(content: proto.IMessage): string | undefined {
  const { videoMessage, audioMessage } = content;
  if (videoMessage) return videoMessage.gifPlayback === true ? 'gif' : 'video';
  if (audioMessage) return audioMessage.ptt === true ? 'ptt' : 'audio';
  return MEDIA_TYPES.find(([field]) => content[field])?.[1];
}
