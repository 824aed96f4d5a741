import { randomBytes } from 'node:crypto';
import { jidNormalizedUser, proto } from '@whiskeysockets/baileys';
import type {
  MessageContentOf,
  MessageTargetOf,
  OutgoingContentOf,
  QuotedMessageOf,
} from '@messaging-gateway/contracts';
import type { LinkPreview } from '../../link-preview/link-previews.ts';
import { toNetwork } from './addresses.ts';
import { vcardOf } from './contact-cards.ts';

export interface Making {
  /** The chat, as the gateway names it. */
  readonly to: string;
  /** Address of this client. */
  readonly self: string;
  /** The uploaded media, for contents that have them. */
  readonly media?: proto.IMessage;
  /** Of the page that the text names. */
  readonly preview?: LinkPreview;
  /** The quoted message as it was sent, where that is known. */
  readonly quotedMessage?: proto.IMessage | undefined;
}

type Inner = { contextInfo?: proto.IContextInfo | null };

/** The network's form of a message. */
export function outgoingMessage(content: OutgoingContentOf, making: Making): proto.IMessage {
  switch (content.type) {
    case 'reaction':
      return {
        reactionMessage: {
          key: keyOf(content.target, making),
          text: content.content.emoji,
          senderTimestampMs: Date.now(),
        },
      };
    case 'delete':
      return {
        protocolMessage: { key: keyOf(content.target, making), type: proto.Message.ProtocolMessage.Type.REVOKE },
      };
    default:
      return withContext(bodyOf(content, making), contextOf(content, making));
  }
}

/** A stanza says besides the message that it deletes another one, or that it is a poll. */
export function stanzaOptions(message: proto.IMessage): {
  readonly additionalAttributes?: Record<string, string>;
  readonly additionalNodes?: { tag: string; attrs: Record<string, string> }[];
} {
  const { key, type } = message.protocolMessage ?? {};
  if (type === proto.Message.ProtocolMessage.Type.REVOKE) {
    const isAdmins = key?.remoteJid?.endsWith('@g.us') === true && key.fromMe !== true;
    return { additionalAttributes: { edit: isAdmins ? '8' : '7' } };
  }
  const isPoll = (message.pollCreationMessage ?? message.pollCreationMessageV3 ?? undefined) !== undefined;
  return isPoll ? { additionalNodes: [{ tag: 'meta', attrs: { polltype: 'creation' } }] } : {};
}

function bodyOf(content: MessageContentOf, { media, preview }: Making): proto.IMessage {
  switch (content.type) {
    case 'text':
      return { extendedTextMessage: { text: content.content.text, ...(preview !== undefined && shown(preview)) } };
    case 'location': {
      const { latitude, longitude, name, address } = content.content;
      return {
        locationMessage: {
          degreesLatitude: latitude,
          degreesLongitude: longitude,
          ...(name !== undefined && { name }),
          ...(address !== undefined && { address }),
        },
      };
    }
    case 'contact': {
      const cards = content.content.contacts.map((card) => ({ displayName: card.name, vcard: vcardOf(card) }));
      const [first] = cards;
      if (cards.length === 1 && first !== undefined) return { contactMessage: first };
      return { contactsArrayMessage: { displayName: `${cards.length} contacts`, contacts: cards } };
    }
    case 'poll':
      return pollMessage(content.content);
    default:
      return media ?? {};
  }
}

const shown = ({ url, title, description, thumbnail }: LinkPreview): proto.Message.IExtendedTextMessage => ({
  matchedText: url,
  title,
  ...(description !== undefined && { description }),
  ...(thumbnail !== undefined && { jpegThumbnail: thumbnail }),
  previewType: proto.Message.ExtendedTextMessage.PreviewType.NONE,
});

/** Votes are encrypted with the secret; phones show a poll with one choice in another form. */
function pollMessage({ question, options, allowMultiple }: Extract<MessageContentOf, { type: 'poll' }>['content']) {
  const isSingle = allowMultiple !== true;
  const poll = {
    name: question,
    selectableOptionsCount: isSingle ? 1 : 0,
    options: options.map((optionName) => ({ optionName })),
  };
  return {
    messageContextInfo: { messageSecret: randomBytes(32) },
    ...(isSingle ? { pollCreationMessageV3: poll } : { pollCreationMessage: poll }),
  };
}

function contextOf({ content, quoted }: MessageContentOf, making: Making): proto.IContextInfo | undefined {
  const mentions = 'mentions' in content ? (content.mentions ?? []) : [];
  const context = {
    ...(mentions.length > 0 && { mentionedJid: mentions.map(toNetwork) }),
    ...(quoted !== undefined && quotation(quoted, making)),
  };
  return Object.keys(context).length > 0 ? context : undefined;
}

/** Phones find the quoted message by its id; what stands beside it is shown where they have it no more. */
const quotation = (quoted: QuotedMessageOf, { to, self, quotedMessage }: Making): proto.IContextInfo => ({
  stanzaId: quoted.networkMessageId,
  participant: quoted.fromMe ? jidNormalizedUser(self) : toNetwork(quoted.author ?? to),
  quotedMessage: quotedMessage ?? { conversation: quoted.text ?? '' },
});

function withContext(message: proto.IMessage, contextInfo: proto.IContextInfo | undefined): proto.IMessage {
  if (contextInfo === undefined) return message;
  const kind = Object.keys(message).find((key) => key !== 'messageContextInfo') as keyof proto.IMessage;
  return { ...message, [kind]: { ...(message[kind] as Inner), contextInfo } };
}

function keyOf({ networkMessageId: id, author, fromMe }: MessageTargetOf, { to }: Making): proto.IMessageKey {
  const remoteJid = toNetwork(to);
  const isInGroup = to.endsWith('@g.us');
  return {
    remoteJid,
    fromMe,
    id,
    ...(isInGroup && !fromMe && author !== undefined && { participant: toNetwork(author) }),
  };
}
