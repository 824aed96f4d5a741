import { open } from 'node:fs/promises';

/** An Ogg file with one stream, of Opus: what phones record themselves. */
export interface OggOpus {
  /** Absent: its last page does not tell. */
  readonly seconds?: number;
}

/** Opus counts its samples at this rate, whatever was recorded. */
const samplesPerSecond = 48_000;
/** More than any page has, bytes. */
const mostOfPage = 65_536;
const pageMark = Buffer.from('OggS');
const headMark = Buffer.from('OpusHead');
/** Where the fields of a page lie, bytes from its mark. */
const at = { flags: 5, samples: 6, stream: 14, segments: 26, lengths: 27 } as const;
const first = 2;
/** The samples before the first that is heard, in the packet `OpusHead`. */
const skippedAt = 10;
const shortestHead = 19;

/**
 * Reads from the first and last pages of a file whether it is Ogg with Opus and nothing beside it, and how long it is.
 *
 * RFC 3533 says what a page is, RFC 7845 what is in `OpusHead`.
 *
 * @returns undefined for any other file
 */
export async function oggOpusOf(path: string): Promise<OggOpus | undefined> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const read = async (from: number): Promise<Buffer> => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(mostOfPage), 0, mostOfPage, Math.max(0, from));
      return buffer.subarray(0, bytesRead);
    };
    const skipped = skippedOf(await read(0));
    return skipped === undefined ? undefined : lengthOf(await read(size - mostOfPage), skipped);
  } finally {
    await file.close();
  }
}

function skippedOf(head: Buffer): number | undefined {
  if (!head.subarray(0, pageMark.length).equals(pageMark) || head.length < at.lengths + 1) return undefined;
  const packet = at.lengths + (head[at.segments] ?? 0);
  if (!head.subarray(packet, packet + headMark.length).equals(headMark)) return undefined;
  if (head.length < packet + shortestHead || isBeginning(head, packet + (head[at.lengths] ?? 0))) return undefined;
  return head.readUInt16LE(packet + skippedAt);
}

/** Pages that begin a stream stand together: a second one is of something beside the sound. */
const isBeginning = (head: Buffer, page: number): boolean =>
  head.subarray(page, page + pageMark.length).equals(pageMark) && ((head[page + at.flags] ?? 0) & first) !== 0;

function lengthOf(tail: Buffer, skipped: number): OggOpus {
  const page = tail.lastIndexOf(pageMark);
  if (page < 0 || tail.length < page + at.stream) return {};
  const samples = tail.readBigInt64LE(page + at.samples);
  // Of a page on which no packet ends, -1.
  return samples < 0n ? {} : { seconds: Math.max(0, Number(samples) - skipped) / samplesPerSecond };
}
