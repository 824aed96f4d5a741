import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import type { MediaKind } from '@messaging-gateway/contracts';
import { mimetypeOf } from '@messaging-gateway/media';
import sharp from 'sharp';
import { playable } from './playable-media.ts';

const plain = sharp({ create: { width: 60, height: 40, channels: 3, background: '#336699' } });
/** Two frames that differ, one below the other. */
const frames = Buffer.concat([Buffer.alloc(60 * 40 * 3, 0x55), Buffer.alloc(60 * 40 * 3, 0xaa)]);
const animated = sharp(frames, { raw: { width: 60, height: 80, channels: 3, pageHeight: 40 } });

/** Media as a source opens them: the type is read from their bytes. */
async function made(media: Buffer, kind: MediaKind) {
  const mimetype = await mimetypeOf(media.subarray(0, 4_100));
  const stream = Readable.from([media], { objectMode: false });
  const opened = await playable({ stream, mimetype }, kind, 'organization', AbortSignal.timeout(60_000));
  return { given: mimetype, mimetype: opened.mimetype, media: await buffer(opened.stream) };
}

const isobmff = (brand: string): Buffer =>
  Buffer.concat([Buffer.from('00000018', 'hex'), Buffer.from(`ftyp${brand}\0\0\0\0mif1heic`), Buffer.alloc(100)]);

describe('an image', () => {
  it.each([
    ['AVIF', () => plain.clone().avif().toBuffer(), 'image/avif'],
    ['TIFF', () => plain.clone().tiff().toBuffer(), 'image/tiff'],
    [
      'animated WebP',
      () =>
        animated
          .clone()
          .webp({ loop: 0, delay: [100, 100] })
          .toBuffer(),
      'image/webp',
    ],
  ])('becomes a JPEG if phones do not display it: %s', async (_, image, type) => {
    const { given, mimetype, media } = await made(await image(), 'image');
    expect([given, mimetype]).toEqual([type, 'image/jpeg']);
    expect(await sharp(media).metadata()).toMatchObject({ format: 'jpeg', width: 60, height: 40 });
  });

  it.each([
    ['JPEG', () => plain.clone().jpeg().toBuffer()],
    ['PNG', () => plain.clone().png().toBuffer()],
    ['WebP', () => plain.clone().webp().toBuffer()],
  ])('stays as it is if phones display it: %s', async (_, make) => {
    const image = await make();
    const { given, mimetype, media } = await made(image, 'image');
    expect(mimetype).toBe(given);
    expect(media.equals(image)).toBe(true);
  });

  it.each([
    ['HEIC', isobmff('heic')],
    ['AVIF', isobmff('avif')],
    ['animated WebP', Buffer.from('RIFF\x40\0\0\0WEBPVP8X\x0a\0\0\0\x02\0\0\0\x3b\0\0\x27\0\0ANIM', 'latin1')],
  ])('that cannot be converted is refused, with its format and what to do: %s', async (format, image) => {
    await expect(made(image, 'image')).rejects.toMatchObject({
      code: 'MEDIA_UNAVAILABLE',
      message: `Phones do not display ${format} images, and this image could not be converted: send it as a document.`,
    });
    expect((await made(image, 'document')).media.equals(image)).toBe(true);
  });
});

describe('audio', () => {
  it('in a container that phones do not play is refused', async () => {
    const webm = Buffer.from('1a45dfa39f4286810142f7810142f2810442f381084282847765626d', 'hex');
    await expect(made(webm, 'audio')).rejects.toMatchObject({ code: 'MEDIA_UNAVAILABLE' });
  });
});
