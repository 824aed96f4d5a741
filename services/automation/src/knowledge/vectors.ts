/** A vector of length 1: how alike two of them are is the sum of their products. @throws Error for what has no direction */
export function unitOf(numbers: readonly number[]): Float32Array {
  const length = Math.hypot(...numbers);
  if (!Number.isFinite(length) || length === 0) throw new Error('The provider answered a vector without a direction.');
  return Float32Array.from(numbers, (number) => number / length);
}

export const bytesOf = (vector: Float32Array): Buffer =>
  Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);

export function vectorOf(bytes: Buffer): Float32Array {
  // Numbers begin at multiples of their length: the bytes may lie anywhere.
  const own = new Uint8Array(bytes.length);
  own.set(bytes);
  return new Float32Array(own.buffer);
}

export function alikeness(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at += 1) sum += (one[at] as number) * (other[at] as number);
  return sum;
}

/** For each number whether it is above the mean, as `bit varying` is written: vectors near each other differ in few of them. */
export function bitsOf(vector: Float32Array, mean: Float32Array | undefined): string {
  const bytes = Buffer.alloc(Math.ceil(vector.length / 8));
  for (let at = 0; at < vector.length; at += 1)
    if ((vector[at] as number) > (mean?.[at] ?? 0)) bytes[at >> 3] = (bytes[at >> 3] as number) | (0x80 >> (at & 7));
  return `x${bytes.toString('hex')}`;
}
