import { getContentType, normalizeMessageContent, proto } from '@whiskeysockets/baileys';
import { sha256 } from '../media/cipher.ts';
import type { Network } from '../network.ts';
import type { Person } from '../people/person.ts';
import { cardFrom } from './cards.ts';
import type { ShownContent, ShownContext } from './kinds.ts';
import { unseal, type Seal, type Sealed } from './sealing.ts';
import { showMedia } from './showing-media.ts';
import { textOf } from './content.ts';

/** On whose phone a message is shown, and who wrote it. */
export type Showing = { reader: Person; author: Person };

/** Content as a phone shows it, of a message that it has decrypted. */
export function shownContent(network: Network, showing: Showing, message: proto.IMessage): ShownContent {
  const content = normalizeMessageContent(message) ?? {};
  return shownMedia(network, content) ?? shownOther(content) ?? shownChange(showing, content) ?? unsupported(content);
}

/** Context of a message: what it answers, and whom it mentions. */
export function shownContext(network: Network, message: proto.IMessage): ShownContext {
  const content = normalizeMessageContent(message) ?? {};
  const field = getContentType(content);
  const body = field === undefined ? undefined : content[field];
  const context = typeof body === 'object' && body !== null && 'contextInfo' in body ? body.contextInfo : undefined;
  const phoneOf = (jid: string) => network.directory.find(jid)?.phone ?? jid;
  return {
    ...(context?.stanzaId && { quoted: context.stanzaId }),
    ...(context?.stanzaId && context.participant && { quotedAuthor: phoneOf(context.participant) }),
    mentions: (context?.mentionedJid ?? []).map(phoneOf),
  };
}

function shownMedia(network: Network, content: proto.IMessage): ShownContent | undefined {
  const { files } = network.media;
  const { imageMessage, videoMessage, audioMessage, documentMessage, stickerMessage } = content;
  if (imageMessage)
    return { type: 'image', ...captioned(imageMessage), media: showMedia(files, imageMessage, 'Image') };
  if (videoMessage) {
    const media = showMedia(files, videoMessage, 'Video');
    return { type: 'video', ...captioned(videoMessage), gif: videoMessage.gifPlayback === true, media };
  }
  if (audioMessage) {
    const { ptt, seconds, waveform } = audioMessage;
    const media = showMedia(files, audioMessage, 'Audio');
    return {
      type: 'audio',
      ptt: ptt === true,
      ...(seconds && { seconds }),
      ...(waveform?.length && { waveform: [...waveform] }),
      media,
    };
  }
  if (documentMessage) {
    const media = showMedia(files, documentMessage, 'Document');
    return { type: 'document', filename: documentMessage.fileName ?? '', ...captioned(documentMessage), media };
  }
  return stickerMessage ? { type: 'sticker', media: showMedia(files, stickerMessage, 'Image') } : undefined;
}

function shownOther(content: proto.IMessage): ShownContent | undefined {
  const { conversation, extendedTextMessage, locationMessage, contactMessage, contactsArrayMessage } = content;
  if (conversation) return { type: 'text', text: conversation };
  if (extendedTextMessage) return shownText(extendedTextMessage);
  if (locationMessage) {
    const { degreesLatitude, degreesLongitude, name, address } = locationMessage;
    const place = { latitude: degreesLatitude ?? 0, longitude: degreesLongitude ?? 0 };
    return { type: 'location', ...place, ...(name && { name }), ...(address && { address }) };
  }
  const cards = contactMessage ? [contactMessage] : contactsArrayMessage?.contacts;
  if (cards) {
    return {
      type: 'contact',
      contacts: cards.map(({ vcard, displayName }) => cardFrom(vcard ?? '', displayName ?? '')),
    };
  }
  const poll = pollIn(content);
  if (poll === undefined) return undefined;
  const allowMultiple = poll.selectableOptionsCount !== 1;
  return { type: 'poll', question: poll.name ?? '', options: optionsOf(poll), allowMultiple };
}

function shownText({ text, matchedText, ...message }: proto.Message.IExtendedTextMessage): ShownContent {
  if (!matchedText) return { type: 'text', text: text ?? '' };
  const { title, description, jpegThumbnail } = message;
  const linkPreview = {
    url: matchedText,
    title: title ?? '',
    ...(description && { description }),
    ...(jpegThumbnail?.length && { thumbnail: Buffer.from(jpegThumbnail).toString('base64') }),
  };
  return { type: 'text', text: text ?? '', linkPreview };
}

function shownChange(showing: Showing, content: proto.IMessage): ShownContent | undefined {
  const { reactionMessage, protocolMessage, pollUpdateMessage } = content;
  const { secretEncryptedMessage, encReactionMessage, encCommentMessage, encEventResponseMessage } = content;
  const { MESSAGE_EDIT, REVOKE } = proto.Message.ProtocolMessage.Type;
  if (reactionMessage)
    return { type: 'reaction', target: reactionMessage.key?.id ?? '', emoji: reactionMessage.text ?? '' };
  if (protocolMessage?.type === REVOKE) return { type: 'revoke', target: protocolMessage.key?.id ?? '' };
  if (protocolMessage?.type === MESSAGE_EDIT) {
    const edited = normalizeMessageContent(protocolMessage.editedMessage ?? undefined);
    const text = edited?.conversation || edited?.extendedTextMessage?.text || edited?.imageMessage?.caption || '';
    return { type: 'edit', target: protocolMessage.key?.id ?? '', text };
  }
  if (secretEncryptedMessage) {
    const plain = opened(showing, 'Message Edit', secretEncryptedMessage.targetMessageKey, secretEncryptedMessage);
    return plain && shownChange(showing, proto.Message.decode(plain));
  }
  if (encReactionMessage) {
    const plain = opened(showing, 'Enc Reaction', encReactionMessage.targetMessageKey, encReactionMessage);
    const target = encReactionMessage.targetMessageKey?.id ?? '';
    return plain && { type: 'reaction', target, emoji: proto.Message.ReactionMessage.decode(plain).text ?? '' };
  }
  if (encCommentMessage) {
    const plain = opened(showing, 'Enc Comment', encCommentMessage.targetMessageKey, encCommentMessage);
    const target = encCommentMessage.targetMessageKey?.id ?? '';
    return plain && { type: 'comment', target, text: textOf(proto.Message.decode(plain)) };
  }
  if (encEventResponseMessage) {
    const key = encEventResponseMessage.eventCreationMessageKey;
    const plain = opened(showing, 'Event Response', key, encEventResponseMessage);
    const response = plain && proto.Message.EventResponseMessage.decode(plain).response;
    const { EventResponseType } = proto.Message.EventResponseMessage;
    return plain && { type: 'eventResponse', target: key?.id ?? '', response: EventResponseType[response ?? 0] ?? '' };
  }
  return pollUpdateMessage ? shownVote(showing, pollUpdateMessage) : undefined;
}

/** @returns undefined if the reader has no secret that decrypts it */
function opened(
  { reader, author }: Showing,
  label: Seal['label'],
  key: proto.IMessageKey | null | undefined,
  sealed: Sealed,
): Buffer | undefined {
  const target = key?.id ?? '';
  const remembered = reader.memory.get(target);
  const secret = remembered?.message.messageContextInfo?.messageSecret;
  if (remembered === undefined || !secret) return undefined;
  for (const addressing of ['lid', 'phone'] as const) {
    const addresses = { author: remembered.author.jid(addressing), editor: author.jid(addressing) };
    const plain = unseal(sealed, { label, target, ...addresses, secret });
    if (plain !== undefined) return plain;
  }
  return undefined;
}

function shownVote(showing: Showing, update: proto.Message.IPollUpdateMessage): ShownContent {
  const target = update.pollCreationMessageKey?.id ?? '';
  const remembered = showing.reader.memory.get(target);
  const poll = remembered && pollIn(remembered.message);
  const plain = update.vote && opened(showing, 'Poll Vote', update.pollCreationMessageKey, update.vote);
  if (poll === undefined || !plain) return { type: 'vote', target };
  const { selectedOptions } = proto.Message.PollVoteMessage.decode(plain);
  const isChosen = (option: string) => selectedOptions.some((hash) => sha256(Buffer.from(option)).equals(hash));
  return { type: 'vote', target, options: optionsOf(poll).filter(isChosen) };
}

function pollIn(content: proto.IMessage): proto.Message.IPollCreationMessage | undefined {
  const { pollCreationMessage, pollCreationMessageV2, pollCreationMessageV3 } = content;
  return pollCreationMessage ?? pollCreationMessageV2 ?? pollCreationMessageV3 ?? undefined;
}

function optionsOf(poll: proto.Message.IPollCreationMessage): string[] {
  return (poll.options ?? []).map(({ optionName }) => optionName ?? '');
}

function captioned({ caption }: { caption?: string | null }): { caption?: string } {
  return caption ? { caption } : {};
}

function unsupported(content: proto.IMessage): ShownContent {
  const kind = getContentType(content) ?? Object.keys(content).find((field) => field !== 'messageContextInfo');
  return { type: 'unsupported', kind: kind ?? '' };
}
