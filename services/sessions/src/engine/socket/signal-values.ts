import { BufferJSON, proto } from '@whiskeysockets/baileys';
import { readableRecord } from './groups/sender-key-record.ts';

/** Types whose values hold no bytes: written without the slower conversion. */
const plainTypes = new Set(['session', 'lid-mapping', 'device-list', 'sender-key-memory', 'user-devices', 'groups']);

/** A value of the key store as bytes. */
export function encodeValue(type: string, value: unknown): Buffer {
  return Buffer.from(plainTypes.has(type) ? JSON.stringify(value) : JSON.stringify(value, BufferJSON.replacer));
}

export function decodeValue(type: string, bytes: Buffer): unknown {
  if (plainTypes.has(type)) return JSON.parse(bytes.toString());
  const value: unknown = JSON.parse(bytes.toString(), BufferJSON.reviver);
  return type === 'app-state-sync-key'
    ? proto.Message.AppStateSyncKeyData.fromObject(value as object)
    : readableValue(type, value);
}

/** A value as the library can read it, also of those that it wrote itself. */
export const readableValue = (type: string, value: unknown): unknown =>
  type === 'sender-key' && value instanceof Uint8Array ? readableRecord(value) : value;
