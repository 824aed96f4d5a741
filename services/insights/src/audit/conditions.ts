import type { Caller } from '@messaging-gateway/contracts';
import { firstEntryAt } from './entry-id.ts';

export interface Period {
  /** ISO 8601. */
  readonly from?: string;
  readonly to?: string;
}

/** Column with its comparison, and what it is compared with; undefined: any. */
export type Condition = readonly [comparison: string, value: unknown];

/**
 * Which entries a caller may see and wants to see. Of an API key that is limited to some profiles, only what was done to
 * those.
 */
export function conditionsOf(
  { organizationId, profileIds }: Caller,
  { from, to }: Period,
  others: readonly Condition[] = [],
): { readonly text: string; readonly values: readonly unknown[] } {
  const bound = (time: string | undefined): string | undefined =>
    time === undefined ? undefined : firstEntryAt(Date.parse(time));
  const conditions: Condition[] = [
    ['organization_id =', organizationId],
    ['id >=', bound(from)],
    ['id <', bound(to)],
    ...others,
  ].filter((condition): condition is [string, unknown] => condition[1] !== undefined);
  const texts = conditions.map(([comparison], index) => `${comparison} $${index + 1}`);
  const values = conditions.map(([, value]) => value);
  if (profileIds === undefined) return { text: texts.join(' AND '), values };
  const limited = `profile_id = ANY ($${values.length + 1}::uuid[])`;
  return { text: [...texts, limited].join(' AND '), values: [...values, profileIds] };
}
