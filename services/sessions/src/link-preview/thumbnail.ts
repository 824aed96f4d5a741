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
/** Loaders of the formats that are meant. All others are shut: a drawing (SVG) of some kilobytes takes minutes. */
const loaders = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((format) => `VipsForeignLoad${format}`);

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
  return decoding.run(() => decoded(picture), { of, signal });
}

async function decoded(picture: Buffer): Promise<Buffer | undefined> {
  const sharp = await (library ??= loaded());
  try {
    const small = sharp(picture, { limitInputPixels: mostPixels, pages: 1, animated: false })
      .rotate()
      .resize(side, side, { fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#ffffff' });
    const jpeg = await small.jpeg({ quality: 70 }).timeout({ seconds: 3 }).toBuffer();
    return jpeg.length <= mostBytes ? jpeg : undefined;
  } catch {
    return undefined;
  }
}
