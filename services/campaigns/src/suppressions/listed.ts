import type { Sql } from '@messaging-gateway/service';
import type { DigestKeys, Person } from './digests.ts';

/** Whether people may be written to, for what sends to many. */
export interface SuppressionList {
  /**
   * Of each of these people, in their order, whether nothing may go to them. One statement for all of them.
   *
   * @param people by all names that are known; at most some thousands
   */
  suppressed(organizationId: string, people: readonly Person[]): Promise<boolean[]>;
  isSuppressed(organizationId: string, person: Person): Promise<boolean>;
}

export function suppressionList({ sql, keys }: { readonly sql: Sql; readonly keys: DigestKeys }): SuppressionList {
  const suppressed = async (organizationId: string, people: readonly Person[]): Promise<boolean[]> => {
    const digests = people.length === 0 ? undefined : await keys.find(organizationId);
    if (digests === undefined) return people.map(() => false);
    const names = people.map((person) => digests.namesOf(person));
    const rows = await sql.query<{ digest: string }>(
      `SELECT phone_digest AS digest FROM suppressions
        WHERE organization_id = $1 AND NOT lifted AND phone_digest = ANY ($2)
        UNION ALL
       SELECT lid_digest FROM suppressions
        WHERE organization_id = $1 AND NOT lifted AND lid_digest = ANY ($3)`,
      [
        organizationId,
        names.flatMap(({ phoneDigest }) => phoneDigest ?? []),
        names.flatMap(({ lidDigest }) => lidDigest ?? []),
      ],
    );
    const found = new Set(rows.map(({ digest }) => digest));
    return names.map(({ phoneDigest = '', lidDigest = '' }) => found.has(phoneDigest) || found.has(lidDigest));
  };
  return {
    suppressed,
    isSuppressed: async (organizationId, person) => (await suppressed(organizationId, [person]))[0] === true,
  };
}
