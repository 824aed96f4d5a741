/** A value of more parts than this is a part of the program and none of a message. */
const partsAtMost = 400;
const depthAtMost = 6;

/**
 * Whether a text is in a value: in a text or in bytes, or in what the value holds, as deep as a message lies in what is
 * handed on with it. Objects of classes are opened only as far as the first ones: behind them is the whole program.
 */
export function contains(value: unknown, text: string): boolean {
  const seen = new Set<unknown>();
  const look = (part: unknown, depth: number): boolean => {
    if (typeof part === 'string') return part.includes(text);
    if (typeof part !== 'object' || part === null) return false;
    if (part instanceof Uint8Array) return Buffer.from(part.buffer, part.byteOffset, part.byteLength).includes(text);
    if (depth >= depthAtMost || seen.size >= partsAtMost || seen.has(part)) return false;
    seen.add(part);
    return inside(part).some((inner) => look(inner, depth + 1));
  };
  return look(value, 0);
}

function inside(part: object): unknown[] {
  if (Array.isArray(part)) return part;
  if (part instanceof Map || part instanceof Set) return [...part.values()];
  const prototype: unknown = Object.getPrototypeOf(part);
  return prototype === Object.prototype || prototype === null ? Object.values(part) : [];
}
