import type {
  SeedRoles,
  DeleteRole,
  CreateRole,
  Page,
  Permission,
  Role,
  UpdateRole,
} from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import { actorOf, type InputOf, type OperationInput } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import { aboutOrganization } from '../client.ts';
import { changing } from '../credential/revoking.ts';
import { organizationStream } from './organization.ts';
import type { IdentityTools } from '../tools.ts';
import type { RoleCommand } from './role-rules.ts';
import { readRole, systemRolesPage } from './role-list.ts';

type ShownRole = Static<typeof Role>;

/** Makes a role of the organization. */
export async function createRole(tools: IdentityTools, input: InputOf<typeof CreateRole>): Promise<ShownRole> {
  const { body, caller, context } = input;
  const roleId = context.resourceId;
  await handle(tools, input, {
    type: 'CreateRole',
    roleId,
    name: body.name.trim(),
    ...(typeof body.description === 'string' && { description: body.description }),
    permissions: body.permissions,
    by: caller.userId,
    granting: caller.permissions as readonly Permission[],
  });
  return readRole(context.em(), roleId);
}

/** Changes a role. From the answer on everybody who has it may do what it says now. */
export async function updateRole(tools: IdentityTools, input: InputOf<typeof UpdateRole>): Promise<ShownRole> {
  const { body, caller, params, context } = input;
  const roleId = params.id.toLowerCase();
  const { name, ...rest } = body;
  await changing(tools, caller.organizationId, () =>
    handle(tools, input, {
      type: 'ChangeRole',
      roleId,
      ...(name !== undefined && { name: name.trim() }),
      ...rest,
      by: caller.userId,
      granting: caller.permissions as readonly Permission[],
    }),
  );
  return readRole(context.em(), roleId);
}

/** Deletes a role that nobody has. */
export async function deleteRole(tools: IdentityTools, input: InputOf<typeof DeleteRole>): Promise<void> {
  const { caller, params } = input;
  await handle(tools, input, {
    type: 'DeleteRole',
    roleId: params.id.toLowerCase(),
    by: caller.userId,
    granting: caller.permissions as readonly Permission[],
  });
}

/** The system roles come with the organization: there is nothing to make. */
export async function seedRoles({ caller, params }: InputOf<typeof SeedRoles>): Promise<Page<ShownRole>> {
  if (params.id.toLowerCase() !== caller.organizationId)
    throw new Refused('NOT_FOUND', 'There is no such organization.');
  return systemRolesPage();
}

async function handle(
  tools: IdentityTools,
  { caller, context }: Pick<OperationInput<unknown>, 'caller' | 'context'>,
  command: RoleCommand,
): Promise<void> {
  const metadata = aboutOrganization(caller.organizationId, context, actorOf(caller));
  await tools.store.handle(organizationStream, caller.organizationId, command, {
    metadata,
    onAppended: context.appended,
  });
}
