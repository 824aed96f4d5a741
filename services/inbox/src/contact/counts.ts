import type { ListContacts } from '@messaging-gateway/contracts';
import type { InputOf, Sql } from '@messaging-gateway/service';
import type { KeptNumber } from '../counting/kept-number.ts';

/** Stands for the profile of contacts that the whole organization has. */
const nobody = '00000000-0000-0000-0000-000000000000';

/** How many contacts there are. */
export const contactCounts: KeptNumber = {
  table: 'contact_counts',
  groups: 'organization_id, profile_id',
  counted: `SELECT organization_id, coalesce(profile_id, '${nobody}'), 1 FROM contacts WHERE NOT deleted`,
};

/** How many contacts the caller may see, of one profile or of all. The profile that is asked for must be allowed. */
export async function contactsOf(
  sql: Sql,
  { query, caller }: Pick<InputOf<typeof ListContacts>, 'query' | 'caller'>,
): Promise<number> {
  const profiles = query.profileId === undefined ? (caller.profileIds ?? null) : [query.profileId];
  const [row] = await sql.query<{ total: number }>(
    `SELECT coalesce(sum(change), 0)::int AS total FROM contact_counts
      WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR profile_id = ANY ($2))`,
    [caller.organizationId, profiles],
  );
  return row?.total ?? 0;
}

/**
 * How many contacts an organization may have, when it has so many. Those that are made at the same moment are not counted.
 *
 * @param quota 0: any number
 */
export async function fullAt(sql: Sql, organizationId: string, quota: number): Promise<number | undefined> {
  if (quota === 0) return undefined;
  const [row] = await sql.query<{ full: boolean }>(
    'SELECT coalesce(sum(change), 0) >= $2 AS full FROM contact_counts WHERE organization_id = $1',
    [organizationId, quota],
  );
  return row?.full === true ? quota : undefined;
}
