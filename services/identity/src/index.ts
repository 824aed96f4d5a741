import type { ServiceModule } from '@messaging-gateway/service';
import { ApiKeyRow, apiKeysView } from './api-key/api-keys-view.ts';
import { apiKeyStream } from './api-key/api-key.ts';
import type { IdentitySettings } from './config.ts';
import { CredentialUseRow } from './credential/last-use.ts';
import { usersSessionsKeys } from './migrations/0001-users-sessions-keys.ts';
import { credentialGeneration } from './migrations/0002-credential-generation.ts';
import { organizationStream } from './organization/organization.ts';
import { workspaceStream } from './organization/workspace.ts';
import { identityService } from './service.ts';
import { sessionStream } from './session/session.ts';
import { SessionRow, sessionsView } from './session/sessions-view.ts';
import { tokens } from './session/tokens.ts';
import { addresses, addressGuard } from './user/addresses.ts';
import { loginAttemptStream } from './user/login-attempt.ts';
import { passwords } from './user/passwords.ts';
import { userStream } from './user/user.ts';
import { UserRow, usersView } from './user/users-view.ts';

export { identitySettings } from './config.ts';
export type { IdentitySettings } from './config.ts';

/** Users, their sessions, API keys, organizations and workspaces. */
export const identity: ServiceModule<IdentitySettings> = {
  name: 'identity',
  storage: {
    schema: 'identity',
    streams: [userStream, sessionStream, loginAttemptStream, organizationStream, workspaceStream, apiKeyStream],
    inlineViews: [usersView, sessionsView, apiKeysView],
    guards: [addressGuard],
  },
  entities: [UserRow, SessionRow, ApiKeyRow, CredentialUseRow],
  migrations: [usersSessionsKeys, credentialGeneration],
  connect: (tools) =>
    identityService({
      ...tools,
      tokens: tokens(tools.settings, tools.clock),
      passwords: passwords(),
      addresses: addresses(tools.sql),
    }),
};
