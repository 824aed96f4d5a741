import type { proto } from '@whiskeysockets/baileys';
import { Refusal } from '../control/refusal.ts';
import { encryptFile, type MediaPurpose } from '../media/cipher.ts';
import type { MediaHost } from '../media/host.ts';
import type { Content, GivenMedia } from './kinds.ts';

type WithMedia = Extract<Content, { media: GivenMedia }>;

const PATHS: Record<MediaPurpose, string> = {
  Image: 'image',
  Video: 'video',
  Audio: 'audio',
  Document: 'document',
  History: 'md-app-state',
};
const PURPOSES: Record<WithMedia['type'], MediaPurpose> = {
  image: 'Image',
  sticker: 'Image',
  video: 'Video',
  audio: 'Audio',
  document: 'Document',
};

/** Encrypts a file and lays it on the media host. @returns what a message says about it */
export function laidOn(host: MediaHost, plain: Buffer, purpose: MediaPurpose, fault?: GivenMedia['fault']) {
  const { bytes, facts } = encryptFile(plain, purpose);
  const token = facts.fileEncSha256.toString('base64url');
  if (fault === 'corrupt') bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 0xff, bytes.length >> 1);
  const directPath = host.files.put(PATHS[purpose], token, bytes, fault === 'stalled');
  if (fault === 'gone') host.files.withdraw(directPath);
  if (fault === 'lost') host.files.remove(directPath);
  return { ...facts, directPath };
}

export function composeMedia(host: MediaHost, content: WithMedia): proto.IMessage {
  const { media } = content;
  const file = {
    ...laidOn(host, givenBytes(media), PURPOSES[content.type], media.fault),
    mimetype: media.mimetype,
    mediaKeyTimestamp: Math.floor(Date.now() / 1000),
  };
  const url = `https://${host.name}${file.directPath}`;
  switch (content.type) {
    case 'image':
      return { imageMessage: { ...file, url, ...captioned(content) } };
    case 'video':
      return { videoMessage: { ...file, url, ...captioned(content), gifPlayback: content.gif === true } };
    case 'audio':
      return { audioMessage: { ...file, url, ptt: content.ptt === true, seconds: content.seconds ?? 1 } };
    case 'sticker':
      return { stickerMessage: { ...file, url, isAnimated: content.animated === true } };
    case 'document': {
      const { filename: fileName, caption } = content;
      const documentMessage = { ...file, url, fileName, title: fileName, ...captioned(content) };
      if (caption === undefined) return { documentMessage };
      return { documentWithCaptionMessage: { message: { documentMessage } } };
    }
  }
}

function captioned({ caption }: { caption?: string }): { caption?: string } {
  return caption === undefined ? {} : { caption };
}

function givenBytes(media: GivenMedia): Buffer {
  if ('base64' in media && typeof media.base64 === 'string') return Buffer.from(media.base64, 'base64');
  if ('size' in media && Number.isSafeInteger(media.size)) return Buffer.alloc(media.size, 'made up by the simulator ');
  throw new Refusal('MEDIA_MISSING', 'Media needs base64 or a size in bytes, and a mimetype.');
}
