import {
  ChangePassword,
  GetMe,
  Login,
  MemberInvited,
  OrganizationCreated,
  Register,
} from '@messaging-gateway/contracts';
import { feature, operation, publication, tells, type ServiceTools } from '@messaging-gateway/service';
import type { IdentitySettings } from '../config.ts';
import { access } from '../tools.ts';
import { usersSessionsKeys } from './0001-users-sessions-keys.migration.ts';
import { ageOfPasswordsMigration } from './0021-age-of-passwords.migration.ts';
import { AddressKeyRow, AddressRow, addressGuard } from './addresses.ts';
import { changePassword } from './changing-password.ts';
import { logIn } from './logging-in.ts';
import { loginAttemptStream } from './login-attempt.ts';
import { getMe } from './me.ts';
import { register } from './registering.ts';
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
  connect: ({ settings, log }: ServiceTools<IdentitySettings>, { access: { tools } }) => ({
    running: [
      {
        start: async () => {
          if (settings.registration === 'open')
            log.warn('Anybody who reaches the API can register: close it with REGISTRATION=closed');
        },
        stop: async () => undefined,
      },
    ],
    rows: [
      operation(Register, (input) => register(tools, input)),
      operation(Login, (input) => logIn(tools, input)),
      operation(GetMe, (input) => getMe(input)),
      operation(ChangePassword, (input) => changePassword(tools, input)),
    ],
  }),
});
