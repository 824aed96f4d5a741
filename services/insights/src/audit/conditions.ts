import type { Caller } from '@messaging-gateway/contracts';
import { whereGiven, type Condition } from '@messaging-gateway/service';
import { firstEntryAt } from './entry-id.ts';

export interface Period {
  /** ISO 8601. */
  readonly from?: string;
  readonly to?: string;
}

/**
 * Entries that a caller may see, of a period. Of an API key that is limited to some profiles, only what was done to
 * those.
 */
export const seenBy = ({ organizationId, profileIds }: Caller, { from, to }: Period): readonly Condition[] => [
  ['organization_id = $1', organizationId],
  whereGiven('id >= $1', from, firstAt),
  whereGiven('id < $1', to, firstAt),
  whereGiven('profile_id = ANY ($1::uuid[])', profileIds),
];

/** @param time ISO 8601 @returns the id that an entry of this moment has at least */
export const firstAt = (time: string): string => firstEntryAt(Date.parse(time));
