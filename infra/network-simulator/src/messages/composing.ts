import { randomBytes } from 'node:crypto';
import { getContentType, normalizeMessageContent, proto } from '@whiskeysockets/baileys';
import { Refusal } from '../control/refusal.ts';
import type { Network } from '../network.ts';
import type { Person } from '../people/person.ts';
import { cardText } from './cards.ts';
import { composeMedia } from './composing-media.ts';
import type { Content, Wrapping } from './kinds.ts';
import { sha256 } from '../media/cipher.ts';
import { seal, type SealLabel } from './sealing.ts';

/** An author, and the chat's address as the author's phone has it. */
export type Composition = { author: Person; chatJid: string };

/**
 * A message as phones encode it.
 *
 * @throws Refusal when it is about a message that the author's phone does not have
 */
export function compose(network: Network, composition: Composition, content: Content): proto.IMessage {
  const message = messageOf(network, composition, content);
  const context = contextOf(network, composition, content);
  if (context === undefined) return message;
  const inner = normalizeMessageContent(message);
  const field = getContentType(inner);
  const body = field === undefined ? undefined : inner?.[field];
  if (typeof body === 'object' && body !== null) Object.assign(body, { contextInfo: context });
  return message;
}

export function wrapped(message: proto.IMessage, wrapping: Wrapping | undefined): proto.IMessage {
  if (wrapping === undefined) return message;
  // The keys of polls and the like stay outside.
  const { messageContextInfo, ...inner } = message;
  const outside = messageContextInfo ? { messageContextInfo } : {};
  if (wrapping === 'viewOnce') return { ...outside, viewOnceMessage: { message: inner } };
  return { ...outside, ephemeralMessage: { message: inner } };
}

function messageOf(network: Network, composition: Composition, content: Content): proto.IMessage {
  if (content.type === 'raw') return proto.Message.fromObject(content.message);
  if ('target' in content) return aboutAnother(composition, content);
  // Phones give every message a secret, with which later changes of it are encrypted.
  const message = { ...newMessage(network, content), messageContextInfo: { messageSecret: randomBytes(32) } };
  return 'replaces' in content ? sharper(composition, content, message) : message;
}

type NewContent = Exclude<Content, { target: string } | { type: 'raw' }>;

function newMessage(network: Network, content: NewContent): proto.IMessage {
  switch (content.type) {
    case 'text':
      return textOf(content);
    case 'location': {
      const { latitude, longitude, name, address } = content;
      return { locationMessage: { degreesLatitude: latitude, degreesLongitude: longitude, name, address } };
    }
    case 'contact':
      return cardsOf(content);
    case 'poll':
      return pollOf(content);
    case 'image':
    case 'video':
    case 'audio':
    case 'document':
    case 'sticker':
      return composeMedia(network.media, content);
    default:
      throw new Refusal('KIND_UNKNOWN', `There is no kind of message called ${(content as Content).type}.`);
  }
}

function textOf(content: Extract<Content, { type: 'text' }>): proto.IMessage {
  const { text, linkPreview, quoted, mentions, forwarded } = content;
  const isPlain = [linkPreview, quoted, mentions, forwarded].every((one) => one === undefined);
  if (isPlain) return { conversation: text };
  if (linkPreview === undefined) return { extendedTextMessage: { text } };
  const { url, title, description } = linkPreview;
  return { extendedTextMessage: { text, matchedText: url, title, description } };
}

function cardsOf({ contacts }: Extract<Content, { type: 'contact' }>): proto.IMessage {
  const cards = contacts.map((card) => ({ displayName: card.name, vcard: cardText(card) }));
  const [only, ...others] = cards;
  if (only !== undefined && others.length === 0) return { contactMessage: only };
  return { contactsArrayMessage: { displayName: `${cards.length} contacts`, contacts: cards } };
}

function pollOf({ question, options, allowMultiple }: Extract<Content, { type: 'poll' }>): proto.IMessage {
  const poll = {
    name: question,
    options: options.map((optionName) => ({ optionName })),
    selectableOptionsCount: allowMultiple === true ? 0 : 1,
  };
  return allowMultiple === true ? { pollCreationMessage: poll } : { pollCreationMessageV3: poll };
}

/** Phones send the higher quality of an image or video as a part of the first message. */
function sharper(
  { chatJid }: Composition,
  { type, replaces }: Extract<Content, { replaces?: string }>,
  message: proto.IMessage,
): proto.IMessage {
  if (replaces === undefined) return message;
  const { HD_IMAGE_DUAL_UPLOAD, HD_VIDEO_DUAL_UPLOAD } = proto.MessageAssociation.AssociationType;
  const messageAssociation = {
    associationType: type === 'image' ? HD_IMAGE_DUAL_UPLOAD : HD_VIDEO_DUAL_UPLOAD,
    parentMessageKey: { remoteJid: chatJid, fromMe: true, id: replaces },
  };
  const messageContextInfo = { ...message.messageContextInfo, messageAssociation };
  return { associatedChildMessage: { message: { ...message, messageContextInfo } } };
}

/** A change of a message that is there already: its key says which, as the author's phone sees it. */
function aboutAnother({ author, chatJid }: Composition, content: Extract<Content, { target: string }>): proto.IMessage {
  const target = author.memory.get(content.target);
  if (target === undefined)
    throw new Refusal('MESSAGE_UNKNOWN', `The author's phone has no message ${content.target}.`);
  const fromMe = target.author === author;
  const key = { remoteJid: chatJid, fromMe, id: content.target, ...participant(chatJid, author, target.author) };
  const { MESSAGE_EDIT, REVOKE } = proto.Message.ProtocolMessage.Type;
  const sealed = (label: SealLabel, plain: Uint8Array) => {
    const { addressing } = author.behaviour;
    const secret = target.message.messageContextInfo?.messageSecret;
    if (!secret) throw new Refusal('SECRET_MISSING', `Message ${content.target} has no secret to encrypt this with.`);
    const addresses = { author: target.author.jid(addressing), editor: author.jid(addressing) };
    return seal(plain, { label, target: content.target, ...addresses, secret });
  };
  switch (content.type) {
    case 'reaction': {
      const reaction = { key, text: content.emoji, senderTimestampMs: Date.now() };
      if (content.encrypted !== true) return { reactionMessage: reaction };
      const plain = proto.Message.ReactionMessage.encode(reaction).finish();
      return { encReactionMessage: { targetMessageKey: key, ...sealed('Enc Reaction', plain) } };
    }
    case 'revoke':
      return { protocolMessage: { key, type: REVOKE } };
    case 'edit': {
      const editedMessage = { conversation: content.text };
      const protocolMessage = { key, type: MESSAGE_EDIT, editedMessage, timestampMs: Date.now() };
      if (content.encrypted !== true) return { editedMessage: { message: { protocolMessage } } };
      const secretEncType = proto.Message.SecretEncryptedMessage.SecretEncType.MESSAGE_EDIT;
      const payload = sealed('Message Edit', proto.Message.encode({ protocolMessage }).finish());
      return { secretEncryptedMessage: { targetMessageKey: key, ...payload, secretEncType } };
    }
    case 'vote': {
      const selectedOptions = content.options.map((option) => sha256(Buffer.from(option)));
      const vote = sealed('Poll Vote', proto.Message.PollVoteMessage.encode({ selectedOptions }).finish());
      return { pollUpdateMessage: { pollCreationMessageKey: key, vote, senderTimestampMs: Date.now() } };
    }
    case 'comment': {
      const plain = proto.Message.encode({ conversation: content.text }).finish();
      return { encCommentMessage: { targetMessageKey: key, ...sealed('Enc Comment', plain) } };
    }
    case 'eventResponse': {
      const response = proto.Message.EventResponseMessage.EventResponseType[content.response];
      const plain = proto.Message.EventResponseMessage.encode({ response, timestampMs: Date.now() }).finish();
      return { encEventResponseMessage: { eventCreationMessageKey: key, ...sealed('Event Response', plain) } };
    }
  }
}

/** In a group a key also names who wrote the message. */
function participant(chatJid: string, author: Person, writer: Person): { participant?: string } {
  return chatJid.endsWith('@g.us') ? { participant: writer.jid(author.behaviour.addressing) } : {};
}

function contextOf(
  network: Network,
  { author, chatJid }: Composition,
  content: Content,
): proto.IContextInfo | undefined {
  const { addressing } = author.behaviour;
  const context: proto.IContextInfo = {};
  if ('mentions' in content && content.mentions !== undefined) {
    context.mentionedJid = content.mentions.map((phone) => network.directory.person(phone)?.jid(addressing) ?? phone);
  }
  if ('quoted' in content && content.quoted !== undefined) {
    const quoted = author.memory.get(content.quoted);
    context.stanzaId = content.quoted;
    context.participant = quoted?.author.jid(addressing) ?? chatJid;
    context.quotedMessage = quoted?.message ?? { conversation: '' };
  }
  if ('forwarded' in content && content.forwarded === true) {
    context.isForwarded = true;
    context.forwardingScore = 1;
  }
  return Object.keys(context).length === 0 ? undefined : context;
}
