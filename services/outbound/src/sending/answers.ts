import { errorCodes, type Caller, type ErrorCode } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import { answer } from '@messaging-gateway/service';
import type { Failure } from '../message/message-events.ts';
import type { KnownMessage } from '../message/message.ts';
import type { SendAnswer } from './send-order.ts';

const isErrorCode = (code: string): code is ErrorCode => code in errorCodes;

/**
 * What a client is told of a message: a result, "queued", or the refusal that the first answer would have been.
 *
 * @throws Refused
 */
export function answerTo(message: KnownMessage): SendAnswer {
  const { status, mode, facts, handedOverAt, acceptedAt, error } = message;
  const { messageId, networkMessageId } = facts;
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
      return { sent: { messageId, networkMessageId, status: 'sent', timestamp: handedOverAt ?? acceptedAt } };
  }
}

/** The same as the answer of a route. */
export const replyOf = ({ sent, queued }: SendAnswer): unknown => (queued === undefined ? sent : answer(202, queued));

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

/** Who did it: `user:…` or `api_key:…`. */
export const actorOf = ({ apiKeyId, userId }: Caller): string =>
  apiKeyId === undefined ? `user:${userId}` : `api_key:${apiKeyId}`;
