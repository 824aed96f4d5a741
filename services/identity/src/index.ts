import type { ServiceModule } from '@messaging-gateway/service';
import { ApiKeyRow, apiKeysView } from './api-key/api-keys-view.ts';
import { apiKeyStream } from './api-key/api-key.ts';
import type { IdentitySettings } from './config.ts';
import { CredentialUseRow } from './credential/last-use.ts';
import { usersSessionsKeys } from './migrations/0001-users-sessions-keys.ts';
import { credentialGeneration } from './migrations/0002-credential-generation.ts';
import { twoFactorAndTemporaryPasswords } from './migrations/0003-two-factor-and-temporary-passwords.ts';
import { MemberRow, membersRemovedView, membersView } from './member/members-view.ts';
import { organizationsMembersRoles } from './migrations/0010-organizations-members-roles.ts';
import { erasuresMigration } from './migrations/0020-erasures.ts';
import { ageOfPasswordsMigration } from './migrations/0021-age-of-passwords.ts';
import { organizationStream } from './organization/organization.ts';
import { OrganizationRow, organizationsView } from './organization/organizations-view.ts';
import { ErasureRow, erasureStream, erasuresView } from './personal-data/erasure.ts';
import { preferencesStream } from './preferences/preferences.ts';
import { RoleRow, rolesDeletedView, rolesView } from './role/roles-view.ts';
import { identityService } from './service.ts';
import { passwordGuard } from './session/starting.ts';
import { integrationsStream, smtpStream, storageStream } from './settings/documents.ts';
import { sessionStream } from './session/session.ts';
import { SessionRow, sessionsView } from './session/sessions-view.ts';
import { tokens } from './session/tokens.ts';
import { twoFactorStream } from './two-factor/two-factor.ts';
import { TwoFactorRow, twoFactorsView } from './two-factor/two-factor-view.ts';
import { AddressKeyRow, AddressRow, addresses, addressGuard } from './user/addresses.ts';
import { loginAttemptStream } from './user/login-attempt.ts';
import { passwords } from './user/passwords.ts';
import { userStream } from './user/user.ts';
import { addressesFreedView, UserRow, usersRemovedView, usersView } from './user/users-view.ts';
import { workspaceStream } from './workspace/workspace.ts';
import { WorkspaceRow, workspacesDeletedView, workspacesView } from './workspace/workspaces-view.ts';

export { identitySettings } from './config.ts';
export { makeOwner } from './member/making-owner.ts';
export { eraseUsersAgain } from './personal-data/erasing-again.ts';
export { resetPassword } from './user/resetting-password.ts';
export type { IdentitySettings } from './config.ts';

/** Users, their sessions, API keys, organizations with their members and roles, and workspaces. */
export const identity: ServiceModule<IdentitySettings> = {
  name: 'identity',
  storage: {
    schema: 'identity',
    streams: [
      userStream,
      sessionStream,
      loginAttemptStream,
      organizationStream,
      workspaceStream,
      apiKeyStream,
      twoFactorStream,
      preferencesStream,
      erasureStream,
      smtpStream,
      storageStream,
      integrationsStream,
    ],
    inlineViews: [
      usersView,
      usersRemovedView,
      addressesFreedView,
      sessionsView,
      apiKeysView,
      twoFactorsView,
      organizationsView,
      membersView,
      membersRemovedView,
      rolesView,
      rolesDeletedView,
      workspacesView,
      workspacesDeletedView,
      erasuresView,
    ],
    guards: [addressGuard, passwordGuard],
  },
  entities: [
    UserRow,
    AddressRow,
    AddressKeyRow,
    SessionRow,
    ApiKeyRow,
    CredentialUseRow,
    TwoFactorRow,
    OrganizationRow,
    MemberRow,
    RoleRow,
    WorkspaceRow,
    ErasureRow,
  ],
  migrations: [
    usersSessionsKeys,
    credentialGeneration,
    twoFactorAndTemporaryPasswords,
    organizationsMembersRoles,
    erasuresMigration,
    ageOfPasswordsMigration,
  ],
  connect: (tools) =>
    identityService({
      ...tools,
      tokens: tokens(tools.settings, tools.clock),
      passwords: passwords(),
      addresses: addresses(tools),
    }),
};
