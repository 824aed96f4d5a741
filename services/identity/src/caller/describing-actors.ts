import type { AnswerOf, DescribeActors } from '@messaging-gateway/contracts';
import { ofOrganization, type RequestContext } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import { ApiKeyRow } from '../api-key/api-keys-view.ts';
import { UserRow } from '../user/users-view.ts';

type Asked = Static<(typeof DescribeActors)['body']>;

/** Names for entries of the audit, which keeps none. */
export async function describeActors(
  { organizationId, userIds, apiKeyIds }: Asked,
  context: RequestContext,
): Promise<AnswerOf<typeof DescribeActors>> {
  const em = ofOrganization(context.em(), organizationId);
  const [users, keys] = await Promise.all([
    em.find(UserRow, { id: { $in: userIds } }, { fields: ['id', 'name'] }),
    em.find(ApiKeyRow, { id: { $in: apiKeyIds } }, { fields: ['id', 'name'] }),
  ]);
  return {
    items: [
      ...users.map(({ id, name }) => ({ type: 'user' as const, id, name })),
      ...keys.map(({ id, name }) => ({ type: 'api_key' as const, id, name })),
    ],
  };
}
