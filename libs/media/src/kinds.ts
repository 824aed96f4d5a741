import type { MediaKind } from '@messaging-gateway/contracts';

const images = new Set(['jpeg', 'png', 'webp', 'gif', 'heic', 'heif', 'avif', 'bmp', 'tiff', 'apng']);

/** The kind that the network would send media of this type as. Parameters (`; codecs=opus`) do not matter. */
export function kindOf(mimetype: string): MediaKind {
  const [type, subtype = ''] = (mimetype.split(';')[0] ?? '').trim().toLowerCase().split('/');
  if (type === 'image' && images.has(subtype)) return 'image';
  if (type === 'video' || type === 'audio') return type;
  return 'document';
}

/** Whether media of this type can be sent as this kind: a document may be anything. */
export const fits = (mimetype: string, kind: MediaKind): boolean => kind === 'document' || kindOf(mimetype) === kind;
