import type { ErrorCode } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';

/** What the network's error codes mean for whoever asks about a group or changes it. */
const meanings: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  '401': ['FORBIDDEN', 'Only admins of the group may do this.'],
  '403': ['FORBIDDEN', 'The profile is not in the group, or is no admin of it.'],
  '404': ['NOT_FOUND', 'There is no such group.'],
  '409': ['CONFLICT', 'The group has changed meanwhile.'],
  '410': ['NOT_FOUND', 'The group is there no more.'],
  '419': ['CONFLICT', 'The group is full.'],
  '429': ['RATE_LIMITED', 'The network wants this profile to do less with groups now.'],
};

/** An error of a question to the network, as callers hear it. Without a code of the network nobody knows whether it was done. */
export function refusalOf(error: unknown): Refused {
  if (error instanceof Refused) return error;
  const { data } = error as { data?: unknown };
  if (typeof data !== 'number')
    return new Refused('ENGINE_TIMEOUT', 'The connection ended before the network answered: it may have been done.');
  const [code, reason] = meanings[String(data)] ?? ['ENGINE_REFUSED', 'The network refused it.'];
  const headers = code === 'RATE_LIMITED' ? { 'Retry-After': '60' } : undefined;
  return new Refused(code, `${reason} (${data})`, undefined, headers);
}

export const noAnswer = (): Refused =>
  new Refused('ENGINE_TIMEOUT', 'The network did not answer in time: it may have been done.');
