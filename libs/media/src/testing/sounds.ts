const rate = 8_000;
const headBytes = 44;

/** So many seconds of sound as WAV, of one channel: silence in the first half, a tone in the second. */
export function wav(seconds: number): Buffer {
  const samples = seconds * rate;
  const bytes = Buffer.alloc(headBytes + samples * 2);
  bytes.write('RIFF', 0);
  bytes.writeUInt32LE(bytes.length - 8, 4);
  bytes.write('WAVEfmt ', 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(rate, 24);
  bytes.writeUInt32LE(rate * 2, 28);
  bytes.writeUInt16LE(2, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write('data', 36);
  bytes.writeUInt32LE(samples * 2, 40);
  for (let at = samples / 2; at < samples; at += 1)
    bytes.writeInt16LE(Math.round(20_000 * Math.sin((at * 440 * 2 * Math.PI) / rate)), headBytes + at * 2);
  return bytes;
}

/** The first page and the last of an Ogg file with Opus that lasts so many seconds; what lies between is missing. */
export function oggOpus(seconds: number): Buffer {
  const skipped = 312;
  const packet = Buffer.alloc(19);
  packet.write('OpusHead');
  packet.set([1, 1], 8);
  packet.writeUInt16LE(skipped, 10);
  packet.writeUInt32LE(48_000, 12);
  return Buffer.concat([page(2, 0, packet), page(4, seconds * 48_000 + skipped, Buffer.alloc(20))]);
}

function page(flags: number, samples: number, packet: Buffer): Buffer {
  const head = Buffer.alloc(28);
  head.write('OggS');
  head[5] = flags;
  head.writeBigInt64LE(BigInt(samples), 6);
  head[26] = 1;
  head[27] = packet.length;
  return Buffer.concat([head, packet]);
}
