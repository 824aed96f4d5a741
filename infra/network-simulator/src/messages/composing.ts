import { randomBytes } from 'node:crypto';
import { getContentType, normalizeMessageContent, proto } from '@whiskeysockets/baileys';
import { Refusal } from '../control/refusal.ts';
import type { Network } from '../network.ts';
import type { Person } from '../people/person.ts';
import { cardText } from './cards.ts';
import { composeMedia } from './composing-media.ts';
import type { Content, Wrapping } from './kinds.ts';
import { encryptVote } from './poll-votes.ts';

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
    case 'raw':
      return proto.Message.fromObject(content.message);
    case 'reaction':
    case 'edit':
    case 'revoke':
    case 'vote':
      return aboutAnother(composition, content);
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
  const messageContextInfo = { messageSecret: randomBytes(32) };
  return allowMultiple === true
    ? { messageContextInfo, pollCreationMessage: poll }
    : { messageContextInfo, pollCreationMessageV3: poll };
}

/** A change of a message that is there already: its key says which, as the author's phone sees it. */
function aboutAnother({ author, chatJid }: Composition, content: Extract<Content, { target: string }>): proto.IMessage {
  const target = author.memory.get(content.target);
  if (target === undefined)
    throw new Refusal('MESSAGE_UNKNOWN', `The author's phone has no message ${content.target}.`);
  const fromMe = target.author === author;
  const key = { remoteJid: chatJid, fromMe, id: content.target, ...participant(chatJid, author, target.author) };
  const { MESSAGE_EDIT, REVOKE } = proto.Message.ProtocolMessage.Type;
  switch (content.type) {
    case 'reaction':
      return { reactionMessage: { key, text: content.emoji, senderTimestampMs: Date.now() } };
    case 'revoke':
      return { protocolMessage: { key, type: REVOKE } };
    case 'edit': {
      const editedMessage = { conversation: content.text };
      const protocolMessage = { key, type: MESSAGE_EDIT, editedMessage, timestampMs: Date.now() };
      return { editedMessage: { message: { protocolMessage } } };
    }
    case 'vote': {
      const { addressing } = author.behaviour;
      const secret = target.message.messageContextInfo?.messageSecret;
      if (!secret) throw new Refusal('NOT_A_POLL', `Message ${content.target} is no poll.`);
      const names = { creatorJid: target.author.jid(addressing), voterJid: author.jid(addressing) };
      const vote = encryptVote(content.options, { poll: content.target, secret, ...names });
      return { pollUpdateMessage: { pollCreationMessageKey: key, vote, senderTimestampMs: Date.now() } };
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
