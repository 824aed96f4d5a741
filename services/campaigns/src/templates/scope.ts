import type { Caller } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';

/** The scope of a caller, as far as the rules of templates care. */
export interface Scope {
  readonly organizationId: string;
  /** An API key may be limited to some profiles. */
  readonly profileIds?: readonly string[];
}

export const scopeOf = ({ organizationId, profileIds }: Caller): Scope => ({
  organizationId,
  ...(profileIds && { profileIds }),
});

/** Refuses the template of a profile that the caller's key is not for; those of all profiles everybody sees. @throws Refused FORBIDDEN */
export function requireSight({ profileIds }: Scope, profileId: string | null): void {
  if (profileId === null || profileIds === undefined || profileIds.includes(profileId)) return;
  throw new Refused('FORBIDDEN', 'This API key is limited to other profiles.');
}

/** @throws Refused FORBIDDEN for what belongs to all profiles, when the caller is limited to some */
export function requireChange({ profileIds }: Scope, profileId: string | null): void {
  if (profileIds === undefined || (profileId !== null && profileIds.includes(profileId))) return;
  throw new Refused('FORBIDDEN', 'This API key is limited to some profiles; the template must belong to one of these.');
}
