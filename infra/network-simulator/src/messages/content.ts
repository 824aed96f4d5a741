import { encodeWAMessage, proto, unpadRandomMax16 } from '@whiskeysockets/baileys';

/** The copy of a message that an account's own other devices get. */
export function deviceSent(destinationJid: string, message: proto.IMessage): proto.IMessage {
  return { deviceSentMessage: { destinationJid, message } };
}

/** As it is encrypted: encoded and padded. */
export function plaintextOf(message: proto.IMessage): Buffer {
  return encodeWAMessage(message);
}

/** @throws when the plaintext is no message */
export function messageFrom(plaintext: Buffer): proto.IMessage {
  const message = proto.Message.decode(unpadRandomMax16(plaintext));
  return message.deviceSentMessage?.message ?? message;
}

/** Empty when the message is no text. */
export function textOf(message: proto.IMessage): string {
  return message.conversation || message.extendedTextMessage?.text || '';
}

/** Fields that a message may carry besides its content. */
const FOR_DEVICES = new Set(['senderKeyDistributionMessage', 'messageContextInfo']);

/** Whether it shows in a chat; phones and their linked devices also exchange messages that don't. */
export function isForPeople(message: proto.IMessage): boolean {
  const { MESSAGE_EDIT, REVOKE } = proto.Message.ProtocolMessage.Type;
  const type = message.protocolMessage?.type;
  if (message.protocolMessage) return type === MESSAGE_EDIT || type === REVOKE;
  return Object.keys(message).some((field) => !FOR_DEVICES.has(field));
}
