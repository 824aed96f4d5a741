import type { proto } from '@whiskeysockets/baileys';
import { decryptFile, sha256, type MediaPurpose } from '../media/cipher.ts';
import type { MediaFiles } from '../media/files.ts';
import type { ShownMedia } from './kinds.ts';

type FileMessage = Pick<
  proto.Message.IImageMessage,
  'mediaKey' | 'fileSha256' | 'fileEncSha256' | 'fileLength' | 'directPath' | 'url' | 'mimetype' | 'jpegThumbnail'
>;

/** Fetches a message's file from the media host, checks and opens it. */
export function showMedia(files: MediaFiles, message: FileMessage, purpose: MediaPurpose): ShownMedia {
  const facts = {
    mediaKey: Buffer.from(message.mediaKey ?? []),
    fileSha256: Buffer.from(message.fileSha256 ?? []),
    fileEncSha256: Buffer.from(message.fileEncSha256 ?? []),
    fileLength: Number(message.fileLength ?? 0),
  };
  const announced = {
    mimetype: message.mimetype ?? '',
    size: facts.fileLength,
    sha256: facts.fileSha256.toString('hex'),
    thumbnail: (message.jpegThumbnail?.length ?? 0) > 0,
  };
  const file = files.get(message.directPath ?? pathOf(message.url));
  if (file === undefined) return { ...announced, fault: 'missing' };
  const plain = decryptFile(file.bytes, facts, purpose);
  if (typeof plain === 'string') return { ...announced, fault: plain };
  return { ...announced, size: plain.length, sha256: sha256(plain).toString('hex') };
}

function pathOf(url: string | null | undefined): string {
  return url && URL.canParse(url) ? new URL(url).pathname : '';
}
