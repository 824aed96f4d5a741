import {
  AssignRole,
  ChangeMemberRole,
  ChangePassword,
  CreateApiKey,
  CreateRole,
  CreateWorkspace,
  DeleteAccountData,
  DeleteApiKey,
  DeleteOwnAccount,
  DescribeActors,
  DeleteRole,
  DeleteWorkspace,
  DescribeWorkspace,
  DisableTwoFactor,
  EnableTwoFactor,
  ExportAccount,
  GetMe,
  GetOrganization,
  GetPreferences,
  GetRole,
  GetWorkspace,
  InviteMember,
  ListApiKeys,
  ListMembers,
  ListPermissions,
  ListRoles,
  ListSessions,
  ListUserPermissions,
  ListUserRoles,
  ListWorkspaces,
  Login,
  Logout,
  MemberInvited,
  MemberLeft,
  MemberRemoved,
  OrganizationCreated,
  ReadCredentialGeneration,
  Refresh,
  Register,
  RemoveMember,
  RenewBackupCodes,
  ResolveCredential,
  RevokeOtherSessions,
  RevokeSession,
  SeedRoles,
  SetUpTwoFactor,
  UnassignUser,
  UpdateOrganization,
  UpdatePreferences,
  UpdateRole,
  UpdateWorkspace,
  VerifyTwoFactor,
} from '@messaging-gateway/contracts';
import {
  internalOperation,
  operation,
  reaction,
  type PeriodicJob,
  type ServiceDefinition,
} from '@messaging-gateway/service';
import { createApiKey } from './api-key/creating.ts';
import { listApiKeys } from './api-key/listing.ts';
import { revokeApiKey } from './api-key/revoking.ts';
import { describeActors } from './audit/describing-actors.ts';
import { housekeeping } from './session/housekeeping.ts';
import { resolveCredential } from './credential/resolving.ts';
import { readGeneration } from './credential/revoking.ts';
import { assignRole, changeMemberRole } from './member/changing-role.ts';
import { completeInvitation, inviteMember } from './member/inviting.ts';
import { endMembership, removeMember, unassignUser } from './member/removing.ts';
import { listMembers } from './member/showing.ts';
import { getOrganization, updateOrganization } from './organization/current.ts';
import { completeFounding } from './organization/founding.ts';
import { erasing } from './personal-data/erasing.ts';
import type { ErasureOf } from './personal-data/erasure.ts';
import { exportAccount } from './personal-data/exporting.ts';
import { leave } from './personal-data/leaving.ts';
import { requestErasure } from './personal-data/requesting.ts';
import { readPreferences, updatePreferences } from './preferences/changing.ts';
import { publish } from './publishing.ts';
import { createRole, deleteRole, seedRoles, updateRole } from './role/managing.ts';
import { listPermissions, listRoles, listUserPermissions, listUserRoles, readRole } from './role/showing.ts';
import { endOtherSessions, logout, revokeSession } from './session/ending.ts';
import { listSessions } from './session/listing.ts';
import { refreshing } from './session/refreshing.ts';
import { settingsRows } from './settings/rows.ts';
import type { IdentityTools } from './tools.ts';
import { disableTwoFactor, enableTwoFactor, renewBackupCodes, setUpTwoFactor } from './two-factor/enrolling.ts';
import { verifyTwoFactor } from './two-factor/verifying.ts';
import { changePassword } from './user/changing-password.ts';
import { logIn } from './user/logging-in.ts';
import { getMe } from './user/me.ts';
import { register } from './user/registering.ts';
import {
  createWorkspace,
  deleteWorkspace,
  describeWorkspace,
  listWorkspaces,
  readWorkspace,
  updateWorkspace,
} from './workspace/workspaces.ts';

/** Everything that identity does. */
export function identityService(tools: IdentityTools): ServiceDefinition {
  const erasures = erasing(tools);
  return {
    name: 'identity',
    rows: [
      operation(Register, (input) => register(tools, input)),
      operation(Login, (input) => logIn(tools, input)),
      operation(VerifyTwoFactor, (input) => verifyTwoFactor(tools, input)),
      operation(Refresh, refreshing(tools)),
      operation(Logout, (input) => logout(tools, input)),
      operation(GetMe, (input) => getMe(input)),
      operation(GetPreferences, (input) => readPreferences(tools, input)),
      operation(UpdatePreferences, (input) => updatePreferences(tools, input)),
      operation(ChangePassword, (input) => changePassword(tools, input)),
      operation(SetUpTwoFactor, (input) => setUpTwoFactor(tools, input)),
      operation(EnableTwoFactor, (input) => enableTwoFactor(tools, input)),
      operation(DisableTwoFactor, (input) => disableTwoFactor(tools, input)),
      operation(RenewBackupCodes, (input) => renewBackupCodes(tools, input)),
      operation(ListSessions, (input) => listSessions(tools, input)),
      operation(RevokeSession, (input) => revokeSession(tools, input)),
      operation(RevokeOtherSessions, async ({ caller, context }) => ({
        revokedCount: await endOtherSessions(tools, 'revoked', caller, context),
      })),
      operation(CreateApiKey, (input) => createApiKey(tools, input)),
      operation(ListApiKeys, (input) => listApiKeys(input)),
      operation(DeleteApiKey, (input) => revokeApiKey(tools, input)),
      ...ofOrganizations(tools),
      ...ofPersonalData(tools, erasures),
      ...ofRoles(tools),
      ...ofWorkspaces(tools),
      ...settingsRows(tools),
      internalOperation(ResolveCredential, (asked) => resolveCredential(tools, asked)),
      internalOperation(DescribeActors, (asked, context) => describeActors(asked, context)),
      internalOperation(ReadCredentialGeneration, () => readGeneration(tools)),
      reaction(OrganizationCreated, (data, event) => completeFounding(tools, data, event.id)),
      reaction(MemberInvited, (data, event) => completeInvitation(tools, data, event)),
    ],
    publish,
    running: [],
    jobs: [housekeeping(tools), erasures],
  };
}

const ofOrganizations = (tools: IdentityTools): ServiceDefinition['rows'] => [
  operation(GetOrganization, (input) => getOrganization(input)),
  operation(UpdateOrganization, (input) => updateOrganization(tools, input)),
  operation(ListMembers, (input) => listMembers(input)),
  operation(InviteMember, (input) => inviteMember(tools, input)),
  operation(ChangeMemberRole, (input) => changeMemberRole(tools, input)),
  operation(RemoveMember, (input) => removeMember(tools, input.params['id'], input)),
];

const ofPersonalData = (tools: IdentityTools, erasures: PeriodicJob): ServiceDefinition['rows'] => [
  operation(ExportAccount, (input) => exportAccount(tools, input)),
  operation(DeleteAccountData, async (input) => {
    await leave(tools, erasures, input);
    return { status: 'erasing' as const };
  }),
  operation(DeleteOwnAccount, (input) => leave(tools, erasures, input)),
  reaction(MemberRemoved, ({ userId }, event) =>
    afterMembership(tools, erasures, { userId, wholeOrganization: false }, event),
  ),
  reaction(MemberLeft, (left, event) => afterMembership(tools, erasures, left, event)),
];

/** A user belongs to one organization: with the membership ends the account, and what is known of the person is erased. */
async function afterMembership(
  tools: IdentityTools,
  erasures: PeriodicJob,
  left: Pick<ErasureOf, 'userId' | 'wholeOrganization'>,
  { organizationId, id: cause }: { organizationId: string; id: string },
): Promise<void> {
  const of = { ...left, organizationId };
  await endMembership(tools, of, { organizationId, subject: `user:${of.userId}`, cause });
  await requestErasure(tools, of);
  erasures.wake();
}

const ofRoles = (tools: IdentityTools): ServiceDefinition['rows'] => [
  operation(ListPermissions, async () => listPermissions()),
  operation(ListRoles, (input) => listRoles(input)),
  operation(CreateRole, (input) => createRole(tools, input)),
  operation(GetRole, ({ params, context }) => readRole(context.em(), params['id'] ?? '')),
  operation(UpdateRole, (input) => updateRole(tools, input)),
  operation(DeleteRole, (input) => deleteRole(tools, input)),
  operation(AssignRole, (input) => assignRole(tools, input.body, input)),
  operation(UnassignUser, (input) => unassignUser(tools, input.params, input)),
  operation(ListUserRoles, (input) => listUserRoles(input)),
  operation(ListUserPermissions, (input) => listUserPermissions(input)),
  operation(SeedRoles, (input) => seedRoles(input)),
];

const ofWorkspaces = (tools: IdentityTools): ServiceDefinition['rows'] => [
  operation(ListWorkspaces, (input) => listWorkspaces(input)),
  operation(CreateWorkspace, (input) => createWorkspace(tools, input)),
  operation(GetWorkspace, ({ params, context }) => readWorkspace(context.em(), params['id'] ?? '')),
  operation(UpdateWorkspace, (input) => updateWorkspace(tools, input)),
  operation(DeleteWorkspace, (input) => deleteWorkspace(tools, input)),
  internalOperation(DescribeWorkspace, (asked, context) => describeWorkspace(asked, context)),
];
