import {
  AssignRole,
  ChangeMemberRole,
  CreateRole,
  DeleteRole,
  DescribeOrganization,
  GetOrganization,
  GetRole,
  ListMembers,
  ListPermissions,
  ListRoles,
  ListUserPermissions,
  ListUserRoles,
  MemberLeft,
  MemberRemoved,
  MembersChanged,
  OrganizationCreated,
  SeedRoles,
  UpdateOrganization,
  UpdateRole,
  type DataOf,
} from '@messaging-gateway/contracts';
import {
  feature,
  internalOperation,
  operation,
  publication,
  reaction,
  tells,
  type ServiceTools,
} from '@messaging-gateway/service';
import type { IdentitySettings } from '../config.ts';
import { access } from '../tools.ts';
import { organizationsMembersRoles } from './0010-organizations-members-roles.migration.ts';
import { timezonesOfOrganizations } from './20261124050000-timezones-of-organizations.migration.ts';
import { assignRole, changeMemberRole } from './changing-role.ts';
import { getOrganization, updateOrganization } from './current.ts';
import { completeFounding } from './founding.ts';
import { createRole, deleteRole, seedRoles, updateRole } from './managing-roles.ts';
import { listMembers } from './member-list.ts';
import { MemberRow, membersRemovedView, membersView } from './members-view.ts';
import { organizationStream } from './organization.ts';
import { OrganizationRow, organizationsView } from './organizations-view.ts';
import { listPermissions, listRoles, listUserPermissions, listUserRoles, readRole } from './role-list.ts';
import { RoleRow, rolesDeletedView, rolesView } from './roles-view.ts';
import { describeOrganization, timezoneStream, timezonesView } from './timezone.ts';

const membersChanged = (
  change: DataOf<typeof MembersChanged>['change'],
  { organizationId }: { readonly organizationId: string },
) => publication(MembersChanged, { organizationId, change }, organizationId);

/** Organizations with their members and roles: one stream each, as their rules span all three. */
export const organizations = feature({
  name: 'organizations',
  streams: [organizationStream, timezoneStream],
  views: [organizationsView, timezonesView, membersView, membersRemovedView, rolesView, rolesDeletedView],
  migrations: [organizationsMembersRoles, timezonesOfOrganizations],
  entities: [OrganizationRow, MemberRow, RoleRow],
  tells: [
    tells(organizationStream, {
      OrganizationFounded: ({ metadata }) => [membersChanged('founded', metadata)],
      MemberJoined: ({ metadata }) => [membersChanged('joined', metadata)],
      MemberRoleChanged: ({ metadata }) => [membersChanged('role', metadata)],
      RoleChanged: ({ metadata }) => [membersChanged('permissions', metadata)],
      MemberRemoved: ({ data: { userId }, metadata }) => [
        publication(MemberRemoved, { userId }, metadata.organizationId),
        membersChanged('left', metadata),
      ],
      MemberLeft: ({ data: { userId, wholeOrganization }, metadata }) => [
        publication(MemberLeft, { userId, wholeOrganization }, metadata.organizationId),
        membersChanged('left', metadata),
      ],
    }),
  ],
  needs: { access },
  connect: (_: ServiceTools<IdentitySettings>, { access: { tools } }) => ({
    rows: [
      operation(GetOrganization, (input) => getOrganization(tools, input)),
      operation(UpdateOrganization, (input) => updateOrganization(tools, input)),
      operation(ListMembers, (input) => listMembers(input)),
      operation(ChangeMemberRole, (input) => changeMemberRole(tools, input)),
      operation(ListPermissions, async () => listPermissions()),
      operation(ListRoles, (input) => listRoles(input)),
      operation(CreateRole, (input) => createRole(tools, input)),
      operation(GetRole, ({ params, context }) => readRole(context.em(), params.id)),
      operation(UpdateRole, (input) => updateRole(tools, input)),
      operation(DeleteRole, (input) => deleteRole(tools, input)),
      operation(AssignRole, (input) => assignRole(tools, input.body, input)),
      operation(ListUserRoles, (input) => listUserRoles(input)),
      operation(ListUserPermissions, (input) => listUserPermissions(input)),
      operation(SeedRoles, (input) => seedRoles(input)),
      internalOperation(DescribeOrganization, (asked) => describeOrganization(tools.sql, asked)),
    ],
    hears: [reaction(OrganizationCreated, (data, event) => completeFounding(tools, data, event.id))],
  }),
});
