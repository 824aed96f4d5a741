import type { BinaryNode } from '@whiskeysockets/baileys';

export const SERVER = 's.whatsapp.net';

type Content = BinaryNode['content'];

/** A binary node; attributes without a value are left out (the encoding knows strings only). */
export function node(tag: string, attributes: Record<string, string | undefined> = {}, content?: Content): BinaryNode {
  const attrs: Record<string, string> = {};
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) attrs[name] = value;
  return content === undefined ? { tag, attrs } : { tag, attrs, content };
}

export function children(parent: BinaryNode | undefined, tag?: string): BinaryNode[] {
  if (!Array.isArray(parent?.content)) return [];
  return tag === undefined ? parent.content : parent.content.filter((one) => one.tag === tag);
}

export function child(parent: BinaryNode | undefined, tag: string): BinaryNode | undefined {
  return Array.isArray(parent?.content) ? parent.content.find((one) => one.tag === tag) : undefined;
}

/** Bytes of a child node; empty when there is none. */
export function bytesOf(parent: BinaryNode | undefined, tag: string): Buffer {
  return contentBytes(child(parent, tag));
}

export function contentBytes(one: BinaryNode | undefined): Buffer {
  const content = one?.content;
  if (content === undefined || Array.isArray(content)) return Buffer.alloc(0);
  return typeof content === 'string' ? Buffer.from(content) : Buffer.from(content);
}

/** A number as bytes, most significant first, as keys' ids are sent. */
export function bigEndian(value: number, bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntBE(value, 0, bytes);
  return buffer;
}

export function fromBigEndian(bytes: Buffer): number {
  return bytes.length === 0 ? 0 : bytes.readUIntBE(0, Math.min(bytes.length, 6));
}

export function nowSeconds(): string {
  return String(Math.floor(Date.now() / 1000));
}
