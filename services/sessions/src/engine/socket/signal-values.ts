import { BufferJSON, proto } from '@whiskeysockets/baileys';

/** Types whose values hold no bytes: written without the slower conversion. */
const plainTypes = new Set(['session', 'lid-mapping', 'device-list', 'sender-key-memory', 'user-devices', 'groups']);

/** A value of the key store as bytes. */
export function encodeValue(type: string, value: unknown): Buffer {
  return Buffer.from(plainTypes.has(type) ? JSON.stringify(value) : JSON.stringify(value, BufferJSON.replacer));
}

export function decodeValue(type: string, bytes: Buffer): unknown {
  if (plainTypes.has(type)) return JSON.parse(bytes.toString());
  const value: unknown = JSON.parse(bytes.toString(), BufferJSON.reviver);
  return type === 'app-state-sync-key' ? proto.Message.AppStateSyncKeyData.fromObject(value as object) : value;
}
