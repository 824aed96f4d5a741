import type { Caller } from '@messaging-gateway/contracts';
import { assertProfileAllowed } from './definition.ts';

/** A text with `$1`, `$2` … for the values behind it; undefined: no condition. */
export type Condition = readonly [text: string, ...values: unknown[]] | undefined;

/** Conditions that all hold, with their values: `WHERE ${text}`. */
export interface Conditions {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Puts conditions together, and numbers their values through. At least one of them is always given. */
export function allOf(conditions: readonly Condition[]): Conditions {
  const values: unknown[] = [];
  const texts = conditions.flatMap((condition) => {
    if (condition === undefined) return [];
    const [text, ...own] = condition;
    const before = values.length;
    values.push(...own);
    return [text.replaceAll(/\$(\d+)/g, (_, place: string) => `$${before + Number(place)}`)];
  });
  return { text: texts.join(' AND '), values };
}

/** A condition on one value, if there is one. @param as what it is compared with. Default: the value */
export const whereGiven = <V>(
  text: string,
  value: V | undefined,
  as: (value: V) => unknown = (same) => same,
): Condition => (value === undefined ? undefined : [text, as(value)]);

/**
 * The condition that a row belongs to the profile that is asked for; without one, to those that the caller may see.
 *
 * @throws Refused FORBIDDEN when the API key of the caller is limited to other profiles
 */
export function ofProfiles(column: string, caller: Caller, profileId: string | undefined): Condition {
  if (profileId === undefined) return whereGiven(`${column} = ANY ($1::uuid[])`, caller.profileIds);
  assertProfileAllowed(caller, profileId);
  return [`${column} = $1`, profileId];
}

/** For `LIKE` and `ILIKE`: texts that hold this one as it is. */
export const holding = (text: string): string => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
