import { getContentType, jidNormalizedUser, normalizeMessageContent, proto } from '@whiskeysockets/baileys';
import type { QuotedMessageOf } from '@messaging-gateway/contracts';
import type { SessionData } from '../../../session-data/session-data-store.ts';
import { toNetwork } from '../wire-format/addresses.ts';
import { contactForm, locationForm, pollForm } from './forms.ts';

interface QuotationParts {
  /** JID of the chat that the quoting message is sent to. */
  readonly to: string;
  /** Address of this client. */
  readonly self: string;
  /** Messages that were sent within the last 72 hours. */
  readonly data: SessionData;
}

/** The quotation of a message: its id and author, and its original form without media, which phones display. */
export async function quotation(
  quoted: QuotedMessageOf,
  { to, self, data }: QuotationParts,
): Promise<proto.IContextInfo> {
  return {
    stanzaId: quoted.networkMessageId,
    participant: quoted.fromMe ? jidNormalizedUser(self) : toNetwork(quoted.author ?? to),
    quotedMessage: (await sentForm(quoted, data)) ?? quotedForm(quoted),
    ...(quoted.chat !== undefined && { remoteJid: quoted.chat }),
  };
}

/** A message of this profile as it was sent; undefined for messages of others and for those older than 72 hours. */
async function sentForm(
  { networkMessageId, fromMe }: QuotedMessageOf,
  data: SessionData,
): Promise<proto.IMessage | undefined> {
  const [encoded] = fromMe ? await data.read('content', [networkMessageId]) : [];
  const message = encoded === undefined ? undefined : normalizeMessageContent(proto.Message.decode(encoded));
  const kind = getContentType(message ?? undefined);
  const inner = kind === undefined ? undefined : message?.[kind];
  if (kind === undefined || typeof inner !== 'object' || inner === null) return undefined;
  // A quotation inside of the quoted message is not displayed, and grows with each answer.
  const { contextInfo: _context, ...fields } = inner as { contextInfo?: unknown };
  return { [kind]: fields };
}

/** The form of a message of which the type and small fields are known. */
function quotedForm(quoted: QuotedMessageOf): proto.IMessage {
  const { type, text, mimetype, filename, ptt, gif, animated, seconds } = quoted;
  const caption = text === undefined ? {} : { caption: text };
  const media = mimetype === undefined ? {} : { mimetype };
  switch (type) {
    case 'image':
      return { imageMessage: { mimetype: 'image/jpeg', ...media, ...caption } };
    case 'video':
      return {
        videoMessage: { mimetype: 'video/mp4', ...media, ...caption, ...(gif === true && { gifPlayback: true }) },
      };
    case 'audio': {
      const length = seconds === undefined ? {} : { seconds };
      return { audioMessage: { mimetype: 'audio/ogg; codecs=opus', ...media, ptt: ptt === true, ...length } };
    }
    case 'document': {
      const name = filename === undefined ? {} : { fileName: filename, title: filename };
      return { documentMessage: { mimetype: 'application/octet-stream', ...media, ...name, ...caption } };
    }
    case 'sticker':
      return { stickerMessage: { mimetype: 'image/webp', ...media, ...(animated === true && { isAnimated: true }) } };
    case 'location': {
      const { latitude = 0, longitude = 0, name, address } = quoted;
      return locationForm({ latitude, longitude, ...(name && { name }), ...(address && { address }) });
    }
    case 'contact':
      return contactForm(quoted.contacts ?? []);
    case 'poll': {
      const { question = '', options = [], allowMultiple = false } = quoted;
      return pollForm({ question, options, allowMultiple });
    }
    default:
      return { conversation: text ?? '' };
  }
}
