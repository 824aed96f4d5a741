import type { proto } from '@whiskeysockets/baileys';
import type { IncomingContentOf } from '@messaging-gateway/contracts';
import type { Attachment } from '../engine.ts';

type Media = proto.Message.IImageMessage &
  proto.Message.IVideoMessage &
  proto.Message.IAudioMessage &
  proto.Message.IDocumentMessage &
  proto.Message.IStickerMessage;

/** A message with media: what it says, and where they are to be had. */
export interface WithMedia {
  readonly content: IncomingContentOf;
  readonly attachment?: Attachment;
}

/** What is said of them when the sender does not. */
const usual = { image: 'image/jpeg', video: 'video/mp4', audio: 'audio/ogg', document: 'application/octet-stream' };

/** A sticker is a picture to everybody but phones. */
const types: Readonly<Record<string, Attachment['type']>> = {
  imageMessage: 'image',
  stickerMessage: 'image',
  videoMessage: 'video',
  ptvMessage: 'video',
  audioMessage: 'audio',
  documentMessage: 'document',
};

/** Undefined for what carries no media. @param kind field of the message, as `imageMessage` */
export function mediaOf(kind: string, message: proto.IMessage): WithMedia | undefined {
  const type = types[kind];
  if (type === undefined) return undefined;
  const inner = message[kind as keyof proto.IMessage] as Media;
  const { caption, mimetype, fileLength, fileName, title } = inner;
  const filename = type === 'document' ? fileName || title || undefined : undefined;
  const media = {
    mimetype: mimetype || usual[type],
    size: Math.max(0, Math.trunc(Number(fileLength ?? 0))),
    ...(filename !== undefined && { filename }),
  };
  const said = caption ? { caption } : {};
  const attachment = attachmentOf(type, inner, media.size);
  return { content: contentOf(type, inner, media, said), ...(attachment !== undefined && { attachment }) };
}

function contentOf(
  type: Attachment['type'],
  { gifPlayback, ptt, contextInfo }: Media,
  media: { mimetype: string; size: number; filename?: string },
  said: { caption?: string },
): IncomingContentOf {
  const mentions = mentionsOf(contextInfo);
  switch (type) {
    case 'image':
      return { type, content: { ...said, ...mentions, media } };
    case 'video':
      return { type, content: { ...said, ...(gifPlayback === true && { gif: true }), media } };
    case 'audio':
      return { type, content: { ...(ptt === true && { ptt: true }), media } };
    case 'document':
      return {
        type,
        content: { ...said, ...(media.filename !== undefined && { filename: media.filename }), media },
      };
  }
}

/** What names somebody: whoever writes may have put anything there. */
const someone = /^[\w.:-]{1,64}@[\w.]{1,32}$/;

/** Who is mentioned, as the gateway names them. */
export function mentionsOf(context: proto.IContextInfo | null | undefined): { mentions?: string[] } {
  const named = (context?.mentionedJid ?? []).filter((jid) => someone.test(jid));
  const mentions = named.map((jid) => jid.replace(/(:\d+)?@s\.whatsapp\.net$/, '@c.us'));
  return mentions.length > 0 ? { mentions } : {};
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
