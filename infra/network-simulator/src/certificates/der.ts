/** The few pieces of ASN.1 (DER) that a certificate is made of. */

function element(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const header = length < 0x80 ? [tag, length] : [tag, 0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from(header), content]);
}

export const sequence = (...parts: Buffer[]): Buffer => element(0x30, Buffer.concat(parts));
export const set = (...parts: Buffer[]): Buffer => element(0x31, Buffer.concat(parts));
export const octets = (content: Buffer): Buffer => element(0x04, content);
export const text = (content: string): Buffer => element(0x0c, Buffer.from(content));
export const truth: Buffer = element(0x01, Buffer.from([0xff]));
/** @param unused bits of the last byte that don't count */
export const bits = (content: Buffer, unused = 0): Buffer =>
  element(0x03, Buffer.concat([Buffer.from([unused]), content]));
/** @param bytes the most significant first; the first is 1 to 127 where there are more */
export const integer = (...bytes: number[]): Buffer => element(0x02, Buffer.from(bytes));
/** A part by its number; `plain` ones hold their value without a type of its own. */
export const tagged = (number: number, content: Buffer): Buffer => element(0xa0 + number, content);
export const plain = (number: number, content: Buffer): Buffer => element(0x80 + number, content);

/** Seconds from 2000 to 2049. */
export function time(moment: Date): Buffer {
  const digits = moment.toISOString().replace(/\D/g, '').slice(2, 14);
  return element(0x17, Buffer.from(`${digits}Z`));
}

/** @param name in dots, such as 2.5.29.17 */
export function objectId(name: string): Buffer {
  const [first = 0, second = 0, ...others] = name.split('.').map(Number);
  return element(0x06, Buffer.from([first * 40 + second, ...others.flatMap(inSevenBits)]));
}

function inSevenBits(number: number): number[] {
  const parts = [number & 0x7f];
  for (let rest = number >> 7; rest > 0; rest >>= 7) parts.unshift((rest & 0x7f) | 0x80);
  return parts;
}
