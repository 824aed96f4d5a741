import type { Caller } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';

/** Whether a caller may touch a profile: an API key can be limited to some. */
export const profileAllowed = (caller: Caller, profileId: string): boolean =>
  caller.profileIds === undefined || caller.profileIds.includes(profileId);

/** @throws Refused FORBIDDEN when the API key of the caller is limited to other profiles */
export function assertProfileAllowed(caller: Caller, profileId: string): void {
  if (!profileAllowed(caller, profileId)) throw new Refused('FORBIDDEN', 'This API key is limited to other profiles.');
}
