import type { AnswerOf, DescribeProfile } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import type { Failure } from '../message/message.ts';

/** A restriction of a profile's account by the network. Sessions decides; a lane only saves requests to sessions. */
export type Restriction = NonNullable<AnswerOf<typeof DescribeProfile>['restriction']>;

/** When a restriction ends, milliseconds since 1970. */
export const endOf = ({ until }: Restriction): number => (until === null ? Infinity : Date.parse(until));

export const restricted = {
  code: 'PROFILE_RESTRICTED',
  message: 'The network has restricted the account: it may not write to people who have never written to it.',
} as const satisfies Failure;

/** The refusal of a send, for clients. */
export const restrictedRefusal = ({ type, until }: Restriction, messageId?: string): Refused =>
  new Refused(restricted.code, restricted.message, { type, until, ...(messageId !== undefined && { messageId }) });
