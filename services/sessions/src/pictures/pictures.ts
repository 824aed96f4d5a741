import { Slots } from '@messaging-gateway/runtime';
import type Sharp from 'sharp';

/** Longer side, pixels, as the network's own clients make it. */
const side = 192;
/** A picture with more would take too much memory while it is decoded. */
const mostPixels = 24_000_000;
/** The thumbnail travels in the message itself, once for each device of the other side. Bytes. */
const mostBytes = 24 * 1024;
/** Of the four threads that files, passwords and names of hosts share, so many at most decode pictures; for one tenant one. */
const decoding = new Slots(2, 1);
/** Loaders of the formats that are decoded. HEIF includes AVIF; the library does not decode HEIC. All others are shut: a drawing (SVG) of some kilobytes takes minutes. */
const loaders = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif', 'Tiff'].map((format) => `VipsForeignLoad${format}`);

/** The library is loaded with the first picture, and recognises formats by their bytes, whatever they are said to be. */
async function loaded(): Promise<typeof Sharp> {
  const { default: sharp } = await import('sharp');
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: loaders });
  sharp.concurrency(1);
  return sharp;
}

let library: ReturnType<typeof loaded> | undefined;

/**
 * A small JPEG of a picture; undefined when it is none. Decoded outside of the main thread.
 *
 * @param of whose picture it is
 * @throws the signal's reason when it was not its turn before
 */
export async function thumbnailOf(picture: Buffer, of: string, signal: AbortSignal): Promise<Buffer | undefined> {
  const small = await jpegOf(picture, { side, quality: 70, seconds: 3 }, of, signal);
  return small !== undefined && small.length <= mostBytes ? small : undefined;
}

/** Longer side of an image, pixels: phones send photos in high resolution with at most this. */
const photoSide = 4_096;

/**
 * The first picture of an image as a JPEG that phones display; undefined when the image cannot be decoded.
 *
 * @param of the organization whose image it is
 * @throws the signal's reason when it was not its turn before
 */
export const photoOf = (image: Buffer, of: string, signal: AbortSignal): Promise<Buffer | undefined> =>
  jpegOf(image, { side: photoSide, quality: 85, seconds: 10 }, of, signal);

interface Size {
  /** Longer side, pixels. */
  readonly side: number;
  readonly quality: number;
  /** Time limit of the decoder. */
  readonly seconds: number;
}

const jpegOf = (picture: Buffer, size: Size, of: string, signal: AbortSignal): Promise<Buffer | undefined> =>
  decoding.run(() => decoded(picture, size), { of, signal });

async function decoded(picture: Buffer, { side: longest, quality, seconds }: Size): Promise<Buffer | undefined> {
  const sharp = await (library ??= loaded());
  try {
    return await sharp(picture, { limitInputPixels: mostPixels, pages: 1, animated: false })
      .rotate()
      .resize(longest, longest, { fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#ffffff' })
      .jpeg({ quality })
      .timeout({ seconds })
      .toBuffer();
  } catch {
    return undefined;
  }
}
