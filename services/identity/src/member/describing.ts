import type { AnswerOf, DescribeMembers } from '@messaging-gateway/contracts';
import { ofOrganization, type RequestContext } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import { MemberRow } from '../organization/members-view.ts';
import { madeRoles, membershipOf } from '../organization/membership.ts';
import { preferencesStream } from '../preferences/preferences.ts';
import type { IdentityTools } from '../tools.ts';

/** Permissions of an organization's members now, and their preferences for notifications: in the order of their ids. */
export async function describeMembers(
  { store }: IdentityTools,
  { organizationId, after, limit }: Static<(typeof DescribeMembers)['body']>,
  context: RequestContext,
): Promise<AnswerOf<typeof DescribeMembers>> {
  const em = ofOrganization(context.em(), organizationId);
  const rows = await em.find(MemberRow, after === undefined ? {} : { user: { $gt: after } }, {
    orderBy: { user: 'asc' },
    limit: limit + 1,
  });
  const page = rows.slice(0, limit);
  const made = await madeRoles(em, page);
  const members = await Promise.all(
    page.map(async ({ user: { id: userId }, roleId, joinedAt }) => {
      const { state: preferences, version } = await store.load(preferencesStream, userId);
      const { permissions } = membershipOf(roleId, made.get(roleId));
      const described = { userId, permissions: [...permissions], preferences, preferencesVersion: version };
      return { ...described, joinedAt: joinedAt.toISOString() };
    }),
  );
  return { members, next: rows.length > limit ? (members.at(-1)?.userId ?? null) : null };
}
