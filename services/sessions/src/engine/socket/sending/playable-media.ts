import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { MediaKind } from '@messaging-gateway/contracts';
import { needsConversion, type OpenedMedia } from '@messaging-gateway/media';
import { Refused } from '@messaging-gateway/messaging';
import { photoOf } from '../../../pictures/pictures.ts';

/** Image formats that phones do not display, by media type. WebP is one when it is animated. */
const formats: Readonly<Record<string, string>> = {
  'image/heic': 'HEIC',
  'image/heif': 'HEIF',
  'image/heic-sequence': 'HEIC',
  'image/heif-sequence': 'HEIF',
  'image/avif': 'AVIF',
  'image/tiff': 'TIFF',
  'image/webp': 'animated WebP',
};

/**
 * Media in a format that phones display or play: images in other formats become a JPEG.
 *
 * @param of the organization that sends them
 * @throws Refused MEDIA_UNAVAILABLE naming the format, when the media cannot be converted
 */
export async function playable(
  opened: OpenedMedia,
  kind: MediaKind,
  of: string,
  signal: AbortSignal,
): Promise<OpenedMedia> {
  const { stream, mimetype } = opened;
  if (kind === 'audio') {
    if (!needsConversion(mimetype)) return opened;
    stream.destroy();
    throw new Refused(
      'MEDIA_UNAVAILABLE',
      `Phones do not play ${mimetype} as audio. Send it as base64 or as an upload, which are converted, or as a document.`,
    );
  }
  const format = kind === 'image' ? formats[mimetype] : undefined;
  if (format === undefined) return opened;
  const image = await buffer(stream);
  if (mimetype === 'image/webp' && !isAnimatedWebp(image))
    return { ...opened, stream: Readable.from([image], { objectMode: false }) };
  const photo = await photoOf(image, of, signal);
  if (photo !== undefined) return { stream: Readable.from([photo], { objectMode: false }), mimetype: 'image/jpeg' };
  throw new Refused(
    'MEDIA_UNAVAILABLE',
    `Phones do not display ${format} images, and this image could not be converted: send it as a document.`,
  );
}

/** Whether the extended header of a WebP file announces an animation. */
const isAnimatedWebp = (image: Buffer): boolean =>
  image.toString('latin1', 12, 16) === 'VP8X' && ((image[20] ?? 0) & 0x02) !== 0;
