/** Longer side, pixels, as the network's own clients make it. */
const side = 192;
/** A picture with more would take too much memory while it is decoded. */
const mostPixels = 24_000_000;
/** It travels in the message itself, once for each device of the other side. Bytes. */
const mostBytes = 24 * 1024;

/**
 * A small JPEG of a picture; undefined when it is none. Decoded outside of the main thread, by a library that is loaded
 * with the first one.
 */
export async function thumbnailOf(picture: Buffer): Promise<Buffer | undefined> {
  const { default: sharp } = await import('sharp');
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
