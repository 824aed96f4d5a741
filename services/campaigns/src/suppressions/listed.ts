import { Batcher, type Sql } from '@messaging-gateway/service';
import type { DigestKeys, Person } from './digests.ts';
import { formsOf } from './number-forms.ts';
import type { Names } from './suppression.ts';

/** Whether people may be written to, for what sends to many. */
export interface SuppressionList {
  /**
   * Of each of these people, in their order, whether nothing may go to them. One statement for all of them.
   *
   * @param people by all names that are known; at most some thousands
   */
  suppressed(organizationId: string, people: readonly Person[]): Promise<boolean[]>;
  /** Of one person. Shares its statement with all who ask at the same time. */
  isSuppressed(organizationId: string, person: Person): Promise<boolean>;
}

/** One person of an organization; without a digest key that is known here, whether anybody is on its list. */
interface Asked extends Pick<Names, 'phoneDigest' | 'lidDigest'> {
  readonly organizationId: string;
  readonly isAnybody: boolean;
}

const mostTogether = 100;
const listed = `SELECT asked.number::int FROM unnest($1::uuid[], $2::text[], $3::text[], $4::boolean[]) WITH ORDINALITY
     AS asked (organization_id, phone_digest, lid_digest, is_anybody, number)
  WHERE EXISTS (SELECT FROM suppressions s
      WHERE s.organization_id = asked.organization_id AND NOT s.lifted
        AND s.phone_digest IN (${formsOf('asked.organization_id', 'asked.phone_digest')}))
     OR EXISTS (SELECT FROM suppressions s
      WHERE s.organization_id = asked.organization_id AND NOT s.lifted AND s.lid_digest = asked.lid_digest)
     OR asked.is_anybody AND EXISTS (SELECT FROM suppressions s WHERE s.organization_id = asked.organization_id AND NOT s.lifted)`;

export function suppressionList({ sql, keys }: { readonly sql: Sql; readonly keys: DigestKeys }): SuppressionList {
  const suppressed = async (organizationId: string, people: readonly Person[]): Promise<boolean[]> => {
    const digests = people.length === 0 ? undefined : await keys.find(organizationId);
    if (digests === undefined) return people.map(() => false);
    const names = people.map((person) => digests.namesOf(person));
    const rows = await sql.query<{ digest: string }>(
      `SELECT asked.digest FROM unnest($2::text[]) asked (digest)
        WHERE EXISTS (SELECT FROM suppressions s
          WHERE s.organization_id = $1 AND NOT s.lifted AND s.phone_digest IN (${formsOf('$1', 'asked.digest')}))
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
  const together = new Batcher<Asked, boolean>(async (asked) => {
    const rows = await sql.query<{ number: number }>(listed, [
      asked.map(({ organizationId }) => organizationId),
      asked.map(({ phoneDigest }) => phoneDigest ?? null),
      asked.map(({ lidDigest }) => lidDigest ?? null),
      asked.map(({ isAnybody }) => isAnybody),
    ]);
    const found = new Set(rows.map(({ number }) => number));
    return asked.map((_, index) => found.has(index + 1));
  }, mostTogether);
  return {
    suppressed,
    isSuppressed: async (organizationId, person) => {
      const digests = keys.known(organizationId);
      if (digests !== undefined) return together.add({ organizationId, ...digests.namesOf(person), isAnybody: false });
      if (!(await together.add({ organizationId, isAnybody: true }))) return false;
      return (await suppressed(organizationId, [person]))[0] === true;
    },
  };
}
