import type { Member, Page } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import { decodeCursor, pageOf, type OperationInput } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import type { IdentityTools } from '../tools.ts';
import { heldRoleColumns, joinRoles, membershipOf, type HeldRole } from './membership.ts';

export type ShownMember = Static<typeof Member>;

interface MemberRecord extends HeldRole {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly must_change_password: boolean;
  readonly joined_at: Date;
}

const select = `SELECT users.id, users.email, users.name, users.must_change_password, members.joined_at, ${heldRoleColumns}
  FROM identity.members JOIN identity.users ON users.id = members.user_id ${joinRoles}`;

function show(row: MemberRecord): ShownMember {
  const { role, roleId } = membershipOf(row);
  const { id, email, name, must_change_password: mustChangePassword } = row;
  return { id, email, name, role, roleId, mustChangePassword, joinedAt: row.joined_at.toISOString() };
}

/** @throws Refused NOT_FOUND, also for a member of another organization */
export async function readMember(tools: IdentityTools, userId: string, organizationId: string): Promise<ShownMember> {
  const [row] = await tools.sql.query<MemberRecord>(
    `${select} WHERE members.user_id = $1 AND members.organization_id = $2`,
    [userId, organizationId],
  );
  if (row === undefined) throw new Refused('NOT_FOUND', 'There is no such member.');
  return show(row);
}

/** Members of the organization, those who came first at the top. */
export async function listMembers(
  tools: IdentityTools,
  { caller: { organizationId }, query }: OperationInput<unknown>,
): Promise<Page<ShownMember>> {
  const limit = Number(query['limit'] ?? 50);
  const place = decodeCursor(query['cursor'], ['time', 'id']);
  const [rows, counted] = await Promise.all([
    tools.sql.query<MemberRecord>(
      `${select} WHERE members.organization_id = $1
          AND ($2::timestamptz IS NULL OR (members.joined_at, members.user_id) > ($2, $3::uuid))
        ORDER BY members.joined_at, members.user_id LIMIT $4`,
      [organizationId, place?.[0], place?.[1], limit + 1],
    ),
    tools.sql.query<{ total: number }>(
      'SELECT count(*)::int AS total FROM identity.members JOIN identity.users ON users.id = members.user_id WHERE members.organization_id = $1',
      [organizationId],
    ),
  ]);
  return {
    ...pageOf(rows, limit, (row) => [row.joined_at.toISOString(), row.id], show),
    total: counted[0]?.total ?? 0,
  };
}
