import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { mediaLimits } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import { kindOf } from './kinds.ts';
import { headBytes, mimetypeOf } from './mimetype.ts';
import type { PutOptions } from './store.ts';

/** A stream on its way into a store: its type is known, size and hash when it has ended. */
export interface Intake {
  readonly mimetype: string;
  /** Fails with the source's fault, or when it becomes too large. */
  readonly stream: Readable;
  /** The fault of the stream, not of the store. */
  fault(): unknown;
  measured(): { readonly size: number; readonly sha256: string };
}

/** Reads the beginning of a stream, and with it the type. @throws what the source throws */
export async function intakeOf(source: AsyncIterable<Uint8Array>, options: PutOptions): Promise<Intake> {
  const parts = source[Symbol.asyncIterator]();
  const head: Uint8Array[] = [];
  let read = 0;
  while (read < headBytes) {
    const { value, done } = await parts.next();
    if (done === true) break;
    head.push(value);
    read += value.length;
  }
  const mimetype = await mimetypeOf(Buffer.concat(head).subarray(0, headBytes), options.mimetype);
  const limit = options.limit ?? mediaLimits[kindOf(mimetype)];
  const hash = createHash('sha256');
  let size = 0;
  let fault: unknown;
  const take = (part: Uint8Array): Uint8Array => {
    size += part.length;
    if (size > limit) throw tooLarge(mimetype, limit);
    hash.update(part);
    return part;
  };
  async function* measuring(): AsyncGenerator<Uint8Array> {
    try {
      while (head.length > 0) yield take(head.shift() as Uint8Array);
      for (;;) {
        const { value, done } = await parts.next();
        if (done === true) return;
        yield take(value);
      }
    } catch (error) {
      fault = error;
      throw error;
    } finally {
      await parts.return?.();
    }
  }
  return {
    mimetype,
    stream: Readable.from(measuring(), { objectMode: false }),
    fault: () => fault,
    measured: () => ({ size, sha256: hash.digest('hex') }),
  };
}

function tooLarge(mimetype: string, limit: number): Refused {
  const most = limit >= 1_048_576 ? `${Math.floor(limit / 1_048_576)} MiB` : `${limit} bytes`;
  return new Refused('PAYLOAD_TOO_LARGE', `The media are larger than the ${most} that ${mimetype} may have.`);
}
