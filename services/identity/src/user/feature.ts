import { ChangePassword, MemberInvited, OrganizationCreated } from '@messaging-gateway/contracts';
import { feature, operation, publication, tells, type ServiceTools } from '@messaging-gateway/service';
import type { IdentitySettings } from '../config.ts';
import { access } from '../tools.ts';
import { usersSessionsKeys } from './0001-users-sessions-keys.migration.ts';
import { ageOfPasswordsMigration } from './0021-age-of-passwords.migration.ts';
import { AddressKeyRow, AddressRow, addressGuard } from './addresses.ts';
import { changePassword } from './changing-password.ts';
import { loginAttemptStream } from './login-attempt.ts';
import { userStream } from './user.ts';
import { addressesFreedView, UserRow, usersRemovedView, usersView } from './users-view.ts';

/** People who can log in: their addresses and passwords. */
export const users = feature({
  name: 'users',
  streams: [userStream, loginAttemptStream],
  views: [usersView, usersRemovedView, addressesFreedView],
  guards: [addressGuard],
  migrations: [usersSessionsKeys, ageOfPasswordsMigration],
  entities: [UserRow, AddressRow, AddressKeyRow],
  tells: [
    tells(userStream, {
      UserRegistered: ({ data: { organizationId, workspaceId, userId: ownerId } }) => [
        publication(OrganizationCreated, { organizationId, workspaceId, ownerId }, organizationId),
      ],
      UserInvited: ({ data: { organizationId, userId, roleId, invitedBy } }) => [
        publication(MemberInvited, { userId, roleId, invitedBy }, organizationId),
      ],
    }),
  ],
  needs: { access },
  connect: (_: ServiceTools<IdentitySettings>, { access: { tools } }) => ({
    rows: [operation(ChangePassword, (input) => changePassword(tools, input))],
  }),
});
