import { type ErrorCode, errorCodes } from '@messaging-gateway/contracts';
import type { EventStore } from '@messaging-gateway/event-sourcing';
import { Refused } from '@messaging-gateway/messaging';
import { type Failure, isKnown, type KnownMessage, messageStream, nextMessageIdOf } from '../message/message.ts';
import type { SendAnswer } from './send-order.ts';

const isErrorCode = (code: string): code is ErrorCode => code in errorCodes;

/**
 * The answer to a client about a message: a result, "queued", or the refusal that the first answer would have been.
 *
 * @throws Refused
 */
export function answerTo(message: KnownMessage): SendAnswer {
  const { status, mode, facts, handedOverAt, acceptedAt, error } = message;
  const { messageId, networkMessageId, to } = facts;
  switch (status) {
    case 'accepted':
      if (mode === 'durable') return { queued: { success: true, status: 'queued', messageId } };
      throw unanswered(messageId);
    case 'unknown':
      throw unanswered(messageId);
    case 'failed':
      throw refusalOf(messageId, error);
    case 'sent':
    case 'delivered':
    case 'read':
    case 'played':
      return { sent: { messageId, networkMessageId, to, status: 'sent', timestamp: handedOverAt ?? acceptedAt } };
  }
}

function refusalOf(messageId: string, error: Failure | undefined): Refused {
  const { code, message } = error ?? { code: 'ENGINE_REFUSED', message: 'The message failed.' };
  if (isErrorCode(code)) return new Refused(code, message, { messageId });
  return new Refused('ENGINE_TIMEOUT', message, { messageId, reason: code });
}

/** Handed over, and nobody knows yet; it is settled later. */
export const unanswered = (messageId: string): Refused =>
  new Refused('ENGINE_TIMEOUT', 'The network has not answered in time; the message is settled later.', { messageId });

/** Answers with these codes are not kept by an Idempotency-Key: a repeat is a new try (docs/decisions/0203). */
export function isTriedAnew({ status, mode, error }: KnownMessage): boolean {
  if (status !== 'failed' || mode !== 'synchronous' || error === undefined || !isErrorCode(error.code)) return false;
  return [401, 403, 409, 429].includes(errorCodes[error.code].status);
}

/** Tries under one Idempotency-Key, at most. */
const chainLength = 100;

/** The message that stands for an id, if there is one, or the id that it will have. */
export interface LastMessage {
  readonly messageId: string;
  readonly message?: KnownMessage;
}

/** After an answer that is not kept, a repeat goes on with the next message. */
export async function lastMessageOf(store: EventStore, resourceId: string): Promise<LastMessage> {
  let messageId = resourceId;
  for (let tries = 0; tries < chainLength; tries += 1) {
    const { state } = await store.load(messageStream, messageId);
    if (!isKnown(state)) return { messageId };
    if (!isTriedAnew(state)) return { messageId, message: state };
    messageId = nextMessageIdOf(messageId);
  }
  throw new Refused('CONFLICT', 'Too many tries with one Idempotency-Key.');
}
