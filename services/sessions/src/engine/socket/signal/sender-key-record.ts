import { BufferJSON } from '@whiskeysockets/baileys';

/** A chain of keys with which one device writes to a group, as the library writes it down. */
interface Chain {
  readonly senderKeyId: number;
  readonly senderChainKey: { readonly iteration: number; readonly seed: unknown };
  readonly senderSigningKey: { readonly public: unknown; readonly private: unknown };
  /** Keys of messages that were skipped. */
  readonly senderMessageKeys: readonly { readonly iteration: number; readonly seed: unknown }[];
}

/** The library follows a chain over no more skipped messages. */
const furthest = 2_000;

/**
 * A record of sender keys in the form that the library reads back. As it writes them itself, keys of skipped messages
 * come back as no bytes, so that a message that comes late could not be read with its key.
 *
 * A chain that is told again, as with each message that was asked for again, does not replace the one that is known and
 * may have skipped messages behind it, unless it lies too far ahead to be reached.
 */
export function readableRecord(record: Uint8Array): Buffer {
  // Taken as JSON with `BufferJSON`: all bytes become base64.
  const chains = JSON.parse(Buffer.from(record).toString(), BufferJSON.reviver) as readonly Chain[];
  const known: Chain[] = [];
  for (const chain of chains) {
    const place = known.findIndex((one) => isSame(one, chain));
    const before = known[place];
    if (before === undefined) known.push(chain);
    else if (chain.senderChainKey.iteration - before.senderChainKey.iteration > furthest)
      known[place] = { ...chain, senderMessageKeys: before.senderMessageKeys };
  }
  return Buffer.from(JSON.stringify(known, BufferJSON.replacer));
}

const isSame = (one: Chain, other: Chain): boolean =>
  one.senderKeyId === other.senderKeyId &&
  bytesOf(one.senderSigningKey.public).equals(bytesOf(other.senderSigningKey.public));

/** Bytes, or what the library's own writing has made of them. */
const bytesOf = (value: unknown): Buffer => Buffer.from(value as Uint8Array);
