import type { AnswerOf, DescribeActors } from '@messaging-gateway/contracts';
import type { Static } from 'typebox';
import type { IdentityTools } from '../tools.ts';

type Asked = Static<(typeof DescribeActors)['body']>;

/** Names for entries of the audit, which keeps none. */
export async function describeActors(
  { sql }: IdentityTools,
  { organizationId, userIds, apiKeyIds }: Asked,
): Promise<AnswerOf<typeof DescribeActors>> {
  const items = await sql.query<{ type: 'user' | 'api_key'; id: string; name: string }>(
    `SELECT 'user' AS type, id, name FROM identity.users WHERE organization_id = $1 AND id = ANY ($2::uuid[])
     UNION ALL
     SELECT 'api_key', id, name FROM identity.api_keys WHERE organization_id = $1 AND id = ANY ($3::uuid[])`,
    [organizationId, userIds, apiKeyIds],
  );
  return { items };
}
