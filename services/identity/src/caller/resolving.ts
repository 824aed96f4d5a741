import type { AnswerOf, Permission, ResolveCredential } from '@messaging-gateway/contracts';
import type { Static } from 'typebox';
import { membershipOf } from '../organization/membership.ts';
import type { IdentityTools } from '../tools.ts';
import { noteUse } from '../credential/last-use.ts';

type Asked = Static<typeof ResolveCredential.body>;
/** Of a row of `members` and, for a role that the organization has made, its row of `roles`. */
interface HeldRole {
  readonly role_id: string;
  readonly role_name: string | null;
  readonly role_permissions: readonly Permission[] | null;
}

/** Columns of `HeldRole`, with `joinRoles` behind `members`. */
const heldRoleColumns = 'members.role_id, roles.name AS role_name, roles.permissions AS role_permissions';
const joinRoles = 'LEFT JOIN roles ON roles.id = members.role_id';

const permissionsOf = ({ role_id, role_name: name, role_permissions: permissions }: HeldRole): readonly Permission[] =>
  membershipOf(role_id, { name, permissions }).permissions;

type Credential = NonNullable<AnswerOf<typeof ResolveCredential>['credential']>;

/** The caller behind a session or key at this moment, from the database: what was revoked stays so when every cache is empty. */
export async function resolveCredential(
  tools: IdentityTools,
  asked: Asked,
): Promise<AnswerOf<typeof ResolveCredential>> {
  const found =
    asked.kind === 'session' ? await sessionCredential(tools, asked) : await keyCredential(tools, asked.hash);
  const id = found?.sessionId ?? found?.apiKeyId;
  if (id !== undefined) await noteUse(tools, id);
  return { credential: found ?? null };
}

async function sessionCredential(
  tools: IdentityTools,
  asked: Extract<Asked, { kind: 'session' }>,
): Promise<Credential | undefined> {
  const { sessionId, userId, organizationId } = asked;
  const [row] = await tools.sql.query<HeldRole & { expires_at: Date; must_change_password: boolean }>(
    `SELECT ${heldRoleColumns}, users.must_change_password, held.expires_at
       FROM user_sessions held JOIN users ON users.id = held.user_id
       JOIN members ON members.user_id = held.user_id AND members.organization_id = held.organization_id
       ${joinRoles}
      WHERE held.id = $1 AND held.user_id = $2 AND held.organization_id = $3
        AND held.ended_at IS NULL AND held.expires_at > $4`,
    [sessionId, userId, organizationId, new Date(tools.clock.now())],
  );
  if (row === undefined) return undefined;
  return {
    organizationId,
    userId,
    sessionId,
    permissions: [...permissionsOf(row)],
    expiresAt: row.expires_at.toISOString(),
    ...(row.must_change_password && { mustChangePassword: true }),
  };
}

interface KeyRow extends HeldRole {
  readonly id: string;
  readonly organization_id: string;
  readonly maker_id: string;
  readonly permissions: Permission[] | null;
  readonly profile_ids: string[] | null;
  readonly allowed_cidrs: string[] | null;
  readonly expires_at: Date | null;
}

async function keyCredential(tools: IdentityTools, hash: string): Promise<Credential | undefined> {
  const [row] = await tools.sql.query<KeyRow>(
    `SELECT held.id, held.organization_id, held.maker_id, ${heldRoleColumns}, held.permissions, held.profile_ids,
            held.allowed_cidrs, held.expires_at
       FROM api_keys held
       JOIN members ON members.user_id = held.maker_id AND members.organization_id = held.organization_id
       ${joinRoles}
      WHERE held.hash = $1 AND held.revoked_at IS NULL AND (held.expires_at IS NULL OR held.expires_at > $2)
        -- One that was being made with a key while that, or one further up, was revoked.
        AND NOT EXISTS (
          WITH RECURSIVE above AS (
            SELECT id, parent_id, revoked_at FROM api_keys WHERE id = held.parent_id
            UNION
            SELECT next.id, next.parent_id, next.revoked_at
              FROM api_keys next JOIN above ON next.id = above.parent_id
          )
          SELECT FROM above WHERE revoked_at IS NOT NULL)`,
    [hash, new Date(tools.clock.now())],
  );
  if (row === undefined) return undefined;
  const ofMaker = permissionsOf(row);
  const permissions = ofMaker.filter((one) => row.permissions === null || row.permissions.includes(one));
  return {
    organizationId: row.organization_id,
    userId: row.maker_id,
    apiKeyId: row.id,
    permissions,
    ...(permissions.length < ofMaker.length && { limitedPermissions: true }),
    ...(row.profile_ids !== null && { profileIds: row.profile_ids }),
    ...(row.allowed_cidrs !== null && { allowedCidrs: row.allowed_cidrs }),
    ...(row.expires_at !== null && { expiresAt: row.expires_at.toISOString() }),
  };
}
