import { createHash } from 'node:crypto';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The id under which the network knows a message, fixed before the first attempt: the same for every attempt. */
export function networkMessageIdOf(messageId: string): string {
  return `3EB0${sha256(messageId).slice(0, 18).toUpperCase()}`;
}

/**
 * The id of the message that a repeated Idempotency-Key makes after an answer that is not kept (409, 429): keeps the
 * time of the UUIDv7, so that a chain of repeats is the same wherever it is followed.
 */
export function nextMessageIdOf(messageId: string): string {
  const digest = sha256(`next ${messageId}`);
  return `${messageId.slice(0, 13)}-7${digest.slice(0, 3)}-8${digest.slice(3, 6)}-${digest.slice(6, 18)}`;
}
