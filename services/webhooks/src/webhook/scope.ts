import type { Caller } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';

/** The scope of a caller, as far as the rules of a webhook care. */
export interface Scope {
  readonly organizationId: string;
  /** An API key may be limited to some profiles. */
  readonly profileIds?: readonly string[];
}

export const scopeOf = (caller: Caller): Scope => ({
  organizationId: caller.organizationId,
  ...(caller.profileIds && { profileIds: caller.profileIds }),
});

/** A caller limited to some profiles sees and makes only webhooks that are limited to these. */
function covers(scope: Scope, profileIds: readonly string[] | undefined): boolean {
  if (scope.profileIds === undefined) return true;
  return profileIds !== undefined && profileIds.every((id) => scope.profileIds?.includes(id));
}

export function requireCover(scope: Scope, profileIds: readonly string[] | undefined): void {
  if (covers(scope, profileIds)) return;
  throw new Refused(
    'FORBIDDEN',
    'This credential is limited to some profiles; the webhook must be limited to those too.',
  );
}
