import { Type } from 'typebox';
import type { Answer } from '../../contract.ts';
import type { ErrorCode } from '../../errors.ts';
import { Id, Timestamp, closed, oneOf } from '../../shapes.ts';

/** `data` of a successful send. */
export const SendResult = closed(
  {
    messageId: Id,
    networkMessageId: Type.Optional(Type.String()),
    status: oneOf(['sent', 'queued', 'failed']),
    timestamp: Timestamp,
  },
  { title: 'SendResult' },
);

/** The answer of a durable send: flat, in no envelope. */
export const QueuedResult = closed(
  { success: Type.Literal(true), status: Type.Literal('queued'), messageId: Id },
  { title: 'QueuedSend' },
);

/** Answers of every route that sends. */
export const sendAnswers = {
  200: { body: SendResult, envelope: 'data', means: 'The network took the message.' },
  202: { body: QueuedResult, means: 'The message is stored and will be sent.' },
} satisfies Readonly<Record<number, Answer>>;

/** Errors of every route that sends. */
export const sendErrors: readonly ErrorCode[] = [
  'NOT_FOUND',
  'PROFILE_NOT_CONNECTED',
  'PROFILE_RESTRICTED',
  'RECIPIENT_UNKNOWN',
  'DAILY_LIMIT_REACHED',
  'ENGINE_REFUSED',
  'ENGINE_TIMEOUT',
];
