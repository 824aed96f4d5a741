import type { MediaKind } from '@messaging-gateway/contracts';

const images = new Set(['jpeg', 'png', 'webp', 'gif', 'heic', 'heif', 'avif', 'bmp', 'tiff', 'apng']);

/** The kind that the network would send media of this type as. Parameters (`; codecs=opus`) do not matter. */
export function kindOf(mimetype: string): MediaKind {
  const [type, subtype = ''] = (mimetype.split(';')[0] ?? '').trim().toLowerCase().split('/');
  if (type === 'image' && images.has(subtype)) return 'image';
  if (type === 'video' || type === 'audio') return type;
  return 'document';
}

const bareOf = (mimetype: string): string => (mimetype.split(';')[0] ?? '').trim().toLowerCase();

/** Containers for both audio and video: their first bytes do not tell which of the two they hold. */
const container = /^(audio|video)\/(mp4|webm|(x-)?matroska|3gpp2?|quicktime)$|^application\/ogg$/;

/** Whether media of this type can be sent as this kind. A document may be anything, and audio any container that may hold audio. */
export const fits = (mimetype: string, kind: MediaKind): boolean =>
  kind === 'document' || kindOf(mimetype) === kind || (kind === 'audio' && container.test(bareOf(mimetype)));

/** Whether phones play audio of this type only when it was converted: of the containers they play MP4 and Ogg. */
export const needsConversion = (mimetype: string): boolean =>
  container.test(bareOf(mimetype)) && !['audio/mp4', 'application/ogg'].includes(bareOf(mimetype));
