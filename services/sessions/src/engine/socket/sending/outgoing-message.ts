import { randomBytes } from 'node:crypto';
import { proto, type WASocket } from '@whiskeysockets/baileys';
import type { MediaSources } from '@messaging-gateway/media';
import { Refused } from '@messaging-gateway/messaging';
import type { Slots } from '@messaging-gateway/runtime';
import type { MessageContentOf, MessageTargetOf, OutgoingContentOf } from '@messaging-gateway/contracts';
import type { LinkPreview, MakePreview } from '../../../link-preview/link-previews.ts';
import type { SessionData } from '../../../session-data/session-data-store.ts';
import { nothingLeft, type SendOrder } from '../../engine.ts';
import type { LibraryLogger } from '../library/adaptations.ts';
import { playable } from './playable-media.ts';
import { type MediaContent, uploaded } from './uploading.ts';
import { toNetwork } from '../wire-format/addresses.ts';
import { timerOf, type ChatTimer } from '../wire-format/chat-timers.ts';
import type { SignalState } from '../signal/signal-state.ts';
import { contactForm, locationForm, pollForm } from './forms.ts';
import { quotation } from './quotation.ts';

/** Prepared messages that nobody came back for are forgotten after so long. */
const keptMs = 5 * 60_000;
/** An image waits at most so long for its conversion, milliseconds. */
const convertingMs = 30_000;

export interface PreparingParts {
  readonly organizationId: string;
  readonly data: SessionData;
  readonly state: SignalState;
  readonly media: MediaSources;
  readonly slots: Slots;
  readonly preview: MakePreview;
  readonly logger: LibraryLogger;
}

/**
 * Makes messages ready to be sent. Media that take longer than somebody waits for them go on being uploaded, and the
 * next attempt, under the same network id, takes up what has come of it.
 */
export class Preparing {
  readonly #parts: PreparingParts;
  readonly #uploads = new Map<string, Promise<proto.IMessage>>();

  constructor(parts: PreparingParts) {
    this.#parts = parts;
  }

  /** @throws Refused MEDIA_UNAVAILABLE, ENGINE_REFUSED (both are outcomes), ENGINE_TIMEOUT with `details.nothingLeft` */
  async message(order: SendOrder, socket: WASocket, remainingMs: number): Promise<proto.IMessage> {
    const { content, to } = order;
    const { state } = this.#parts;
    const self = socket.user?.id ?? '';
    const quoted = 'quoted' in content ? content.quoted : undefined;
    const quoting = quoted && (await quotation(quoted, { to, self, data: this.#parts.data }));
    const media = 'media' in content ? await this.#uploaded(order, content, socket, remainingMs) : undefined;
    const timer = await timerOf(to, state);
    const preview = await this.#previewOf(content, remainingMs);
    return outgoingMessage(content, {
      to,
      ...(quoting !== undefined && { quoting }),
      ...(timer !== undefined && timer.seconds > 0 && { timer }),
      ...(media !== undefined && { media }),
      ...(preview !== undefined && { preview }),
    });
  }

  /** Half of the time is left for the message itself. */
  async #previewOf({ type, content }: SendOrder['content'], remainingMs: number): Promise<LinkPreview | undefined> {
    if (type !== 'text' || content.linkPreview !== true) return undefined;
    const { preview, organizationId } = this.#parts;
    return preview(content.text, remainingMs / 2, organizationId);
  }

  async #uploaded(
    { networkMessageId: id }: SendOrder,
    content: MediaContent,
    socket: WASocket,
    remainingMs: number,
  ): Promise<proto.IMessage> {
    const upload = this.#uploads.get(id) ?? this.#upload(content, socket);
    this.#uploads.set(id, upload);
    const forget = (): void => this.#forget(id, upload);
    upload.then(() => setTimeout(forget, keptMs).unref(), forget);
    const message = await inTime(upload, remainingMs);
    this.#forget(id, upload);
    return message;
  }

  #forget(id: string, upload: Promise<proto.IMessage>): void {
    if (this.#uploads.get(id) === upload) this.#uploads.delete(id);
  }

  #upload(content: MediaContent, socket: WASocket): Promise<proto.IMessage> {
    const { media, slots, logger, organizationId } = this.#parts;
    return slots.run(async () => {
      const given = await media.open(content.media, content.type);
      let fault: unknown;
      given.stream.once('error', (error) => (fault = error));
      const opened = await playable(given, content.type, organizationId, AbortSignal.timeout(convertingMs));
      return uploaded(content, opened, socket, logger).catch((error: unknown) => {
        opened.stream.destroy();
        if (fault instanceof Refused) throw fault;
        throw fault === undefined
          ? new Refused('ENGINE_REFUSED', 'The network did not take the media.', { reason: String(error) })
          : new Refused('MEDIA_UNAVAILABLE', 'The media could not be read to their end.');
      });
    });
  }
}

async function inTime(upload: Promise<proto.IMessage>, remainingMs: number): Promise<proto.IMessage> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new Refused('ENGINE_TIMEOUT', 'The media were not uploaded in time.', nothingLeft)),
    Math.max(0, remainingMs),
  );
  return Promise.race([upload, late.promise]).finally(() => clearTimeout(timer));
}

interface Making {
  /** The chat, as the gateway names it. */
  readonly to: string;
  /** The uploaded media, for contents that have them. */
  readonly media?: proto.IMessage;
  /** Of the page that the text names. */
  readonly preview?: LinkPreview;
  /** The chat's timer of disappearing messages. */
  readonly timer?: ChatTimer;
  /** Part of the context: the message that is quoted. */
  readonly quoting?: proto.IContextInfo;
}

type Inner = { contextInfo?: proto.IContextInfo | null };

/** The network's form of a message. */
function outgoingMessage(content: OutgoingContentOf, making: Making): proto.IMessage {
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
      return {
        ...withContext(bodyOf(content, making), contextOf(content, making)),
        // Votes, and in communities reactions and answers, are encrypted with it.
        messageContextInfo: { messageSecret: randomBytes(32) },
      };
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
    case 'location':
      return locationForm(content.content);
    case 'contact':
      return contactForm(content.content.contacts);
    case 'poll':
      return pollForm(content.content);
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

function contextOf({ content }: MessageContentOf, { quoting, timer }: Making): proto.IContextInfo | undefined {
  const mentions = 'mentions' in content ? (content.mentions ?? []) : [];
  const context = {
    ...(mentions.length > 0 && { mentionedJid: mentions.map(toNetwork) }),
    ...quoting,
    ...(timer !== undefined && { expiration: timer.seconds, ephemeralSettingTimestamp: timer.at }),
  };
  return Object.keys(context).length > 0 ? context : undefined;
}

function withContext(message: proto.IMessage, contextInfo: proto.IContextInfo | undefined): proto.IMessage {
  if (contextInfo === undefined) return message;
  const [kind] = Object.keys(message) as (keyof proto.IMessage)[];
  if (kind === undefined) return message;
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
