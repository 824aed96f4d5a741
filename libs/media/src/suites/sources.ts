import { setImmediate as turn } from 'node:timers/promises';

const MiB = 1024 * 1024;
const pngMark = Buffer.from(
  '89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de7fffffff49444154',
  'hex',
);

/** Bytes that begin like a PNG picture. */
export function png(size: number): Buffer {
  const bytes = Buffer.alloc(Math.max(size, pngMark.length), 7);
  pngMark.copy(bytes);
  return bytes.subarray(0, Math.max(size, pngMark.length));
}

/** Bytes as a stream of parts. */
export async function* sourceOf(bytes: Uint8Array, partBytes = 65_536): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += partBytes) yield bytes.subarray(at, at + partBytes);
}

/**
 * So many bytes, made as they are read.
 *
 * @param breaksAt fails after so many
 * @param every waited for after every 16 MiB
 */
export async function* generated(
  size: number,
  breaksAt = Infinity,
  every?: () => Promise<void>,
): AsyncGenerator<Uint8Array> {
  for (let made = 0; made < size; made += 65_536) {
    if (made >= breaksAt) throw new Error('the source broke');
    yield Buffer.alloc(Math.min(65_536, size - made), made / 65_536 || 1);
    if (made % (16 * MiB) === 0) await every?.();
    if (made % MiB === 0) await turn();
  }
}
