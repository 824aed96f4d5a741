const LENGTH_BYTES = 3;
const HEADER_BYTES = 4;
const ROUTING_MARK = Buffer.from('ED');

/** A payload behind its length in three bytes. */
export function frame(payload: Uint8Array): Buffer {
  const framed = Buffer.allocUnsafe(LENGTH_BYTES + payload.length);
  framed.writeUIntBE(payload.length, 0, LENGTH_BYTES);
  framed.set(payload, LENGTH_BYTES);
  return framed;
}

/** Cuts the byte stream of one client into its opening header and frames, however the bytes are split up. */
export class FrameReader {
  private rest: Buffer = Buffer.alloc(0);
  /** The four bytes that open the stream (protocol and dictionary version), once they are there. */
  header: Buffer | undefined;

  /** @returns the frames completed by these bytes, in order */
  push(bytes: Buffer): Buffer[] {
    this.rest = this.rest.length === 0 ? bytes : Buffer.concat([this.rest, bytes]);
    if (this.header === undefined && !this.readHeader()) return [];
    const frames: Buffer[] = [];
    while (this.rest.length >= LENGTH_BYTES) {
      const end = LENGTH_BYTES + this.rest.readUIntBE(0, LENGTH_BYTES);
      if (this.rest.length < end) break;
      frames.push(this.rest.subarray(LENGTH_BYTES, end));
      this.rest = this.rest.subarray(end);
    }
    return frames;
  }

  private readHeader(): boolean {
    if (this.rest.length < HEADER_BYTES) return false;
    if (this.rest.subarray(0, ROUTING_MARK.length).equals(ROUTING_MARK) && !this.skipRouting()) return false;
    if (this.rest.length < HEADER_BYTES) return false;
    this.header = this.rest.subarray(0, HEADER_BYTES);
    this.rest = this.rest.subarray(HEADER_BYTES);
    return true;
  }

  // Clients that were told a route open with it: "ED", two version bytes, a length in three bytes, the route.
  private skipRouting(): boolean {
    if (this.rest.length < 7) return false;
    const end = 7 + this.rest.readUIntBE(4, LENGTH_BYTES);
    if (this.rest.length < end) return false;
    this.rest = this.rest.subarray(end);
    return true;
  }
}
