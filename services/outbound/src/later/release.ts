import { Refused } from '@messaging-gateway/messaging';
import type { Failure } from '../message/message-events.ts';

export const failures = {
  notConnected: { code: 'PROFILE_NOT_CONNECTED', message: 'The profile was not connected for 24 hours.' },
  gone: { code: 'NOT_FOUND', message: 'The profile was deleted.' },
  expired: { code: 'EXPIRED', message: 'The messages could not go out in time.' },
  erased: { code: 'NOT_FOUND', message: 'The content was erased.' },
} as const satisfies Record<string, Failure>;

/** Counted while somebody was there to send it: the time in which the gateway was down does not count. */
export const hasWaited = (patience: number, waitingSince: Date | null, startedAt: number, now: number): boolean =>
  waitingSince !== null && now - Math.max(waitingSince.getTime(), startedAt) >= patience;

/** Why a message could not enter its lane. @throws what is not for good */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof Refused) || error.code === 'SERVICE_UNAVAILABLE') throw error;
  const { code, message } = error;
  return { code, message };
}
