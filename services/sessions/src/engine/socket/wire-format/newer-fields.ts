/** Fields of `Message` that hold another message, each with the number of the field inside that is the message. */
const holders: ReadonlyMap<number, number> = new Map([
  [31, 2], // deviceSentMessage
  [37, 1], // viewOnceMessage
  [40, 1], // ephemeralMessage
  [55, 1], // viewOnceMessageV2
]);

/** `pollCreationMessageV6`: a poll that hides its voters or ends at a time. */
const pollV6 = 119;
/** Tags of the older forms: two bytes each, as that of the newer one. */
const asPollV5 = 0xfa06;
const asPollV4 = 0xea05;
const pollV6Tag = Buffer.from('ba07', 'hex');
/** A wrapper around a poll begins with its only field. */
const firstFieldTag = 0x0a;

/**
 * Renames fields of an encoded message that the library's protocol does not have yet to older fields of the same form. The
 * library would drop them.
 */
export function withKnownFields(encoded: Uint8Array): Uint8Array {
  if (!Buffer.from(encoded.buffer, encoded.byteOffset, encoded.byteLength).includes(pollV6Tag)) return encoded;
  const bytes = Buffer.from(encoded);
  renameIn(bytes, 0, bytes.length);
  return bytes;
}

/** @param only field whose content is a message; absent: the bytes are a message themselves */
function renameIn(bytes: Buffer, from: number, to: number, only?: number): void {
  for (let at = from; at < to;) {
    const start = at;
    const tag = varintAt(bytes, at);
    at = tag.end;
    const [field, wireType] = [Math.floor(tag.value / 8), tag.value % 8];
    if (wireType === 0) at = varintAt(bytes, at).end;
    else if (wireType === 1) at += 8;
    else if (wireType === 5) at += 4;
    else if (wireType === 2) {
      const length = varintAt(bytes, at);
      const end = length.end + length.value;
      if (end > to) return;
      const holder = holders.get(field);
      if (only !== undefined) {
        if (field === only) renameIn(bytes, length.end, end);
      } else if (field === pollV6)
        bytes.writeUInt16BE(bytes[length.end] === firstFieldTag ? asPollV4 : asPollV5, start);
      else if (holder !== undefined) renameIn(bytes, length.end, end, holder);
      at = end;
    } else return;
  }
}

function varintAt(bytes: Buffer, from: number): { readonly value: number; readonly end: number } {
  let value = 0;
  for (let at = from, factor = 1; at < bytes.length; at += 1, factor *= 128) {
    const byte = bytes.readUInt8(at);
    value += (byte % 128) * factor;
    if (byte < 128) return { value, end: at + 1 };
  }
  return { value, end: bytes.length };
}
