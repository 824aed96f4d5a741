import type { Caller, ChangeMemberRole, Permission } from '@messaging-gateway/contracts';
import { actorOf, type InputOf, type RequestContext } from '@messaging-gateway/service';
import { aboutOrganization } from '../client.ts';
import { changing } from '../credential/revoking.ts';
import { organizationStream } from './organization.ts';
import { roleIdOf } from './role-naming.ts';
import type { IdentityTools } from '../tools.ts';
import { readMember, type ShownMember } from './member-list.ts';

/** Gives a member another role, by its name. */
export async function changeMemberRole(
  tools: IdentityTools,
  { body, params, caller, context }: InputOf<typeof ChangeMemberRole>,
): Promise<ShownMember> {
  const member = await readMember(context.em(), params.id);
  const roleId = await roleIdOf(context.em(), body.role);
  return assignRole(tools, { userId: member.id, roleId }, { caller, context });
}

/**
 * Gives a member another role. From the answer on every credential of the member allows what the new role does.
 *
 * @throws Refused NOT_FOUND, FORBIDDEN, or CONFLICT for the last Owner
 */
export async function assignRole(
  tools: IdentityTools,
  given: { readonly userId: string; readonly roleId: string },
  { caller, context }: { caller: Caller; context: RequestContext },
): Promise<ShownMember> {
  const { organizationId } = caller;
  const [userId, roleId] = [given.userId.toLowerCase(), given.roleId.toLowerCase()];
  const granting = caller.permissions as readonly Permission[];
  await changing(tools, organizationId, () =>
    tools.store.handle(
      organizationStream,
      organizationId,
      { type: 'ChangeMemberRole', userId, roleId, by: caller.userId, granting },
      { metadata: aboutOrganization(organizationId, context, actorOf(caller)), onAppended: context.appended },
    ),
  );
  return readMember(context.em(), userId);
}
