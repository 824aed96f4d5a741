import {
  ChangePassword,
  CreateApiKey,
  DeleteApiKey,
  DisableTwoFactor,
  EnableTwoFactor,
  GetMe,
  ListApiKeys,
  ListSessions,
  Login,
  Logout,
  OrganizationCreated,
  ReadCredentialGeneration,
  Refresh,
  Register,
  RenewBackupCodes,
  ResolveCredential,
  RevokeOtherSessions,
  RevokeSession,
  SetUpTwoFactor,
  VerifyTwoFactor,
} from '@messaging-gateway/contracts';
import { internalOperation, operation, reaction, type ServiceDefinition } from '@messaging-gateway/service';
import { createApiKey } from './api-key/creating.ts';
import { listApiKeys } from './api-key/listing.ts';
import { revokeApiKey } from './api-key/revoking.ts';
import { housekeeping } from './credential/housekeeping.ts';
import { resolveCredential } from './credential/resolving.ts';
import { readGeneration } from './credential/revoking.ts';
import { completeFounding } from './organization/founding.ts';
import { publish } from './publishing.ts';
import { endOtherSessions, logout, revokeSession } from './session/ending.ts';
import { listSessions } from './session/listing.ts';
import { refreshing } from './session/refreshing.ts';
import type { IdentityTools } from './tools.ts';
import { disableTwoFactor, enableTwoFactor, renewBackupCodes, setUpTwoFactor } from './two-factor/enrolling.ts';
import { verifyTwoFactor } from './two-factor/verifying.ts';
import { changePassword } from './user/changing-password.ts';
import { logIn } from './user/logging-in.ts';
import { getMe } from './user/me.ts';
import { register } from './user/registering.ts';

/** Everything that identity does. */
export const identityService = (tools: IdentityTools): ServiceDefinition => ({
  name: 'identity',
  rows: [
    operation(Register, (input) => register(tools, input)),
    operation(Login, (input) => logIn(tools, input)),
    operation(VerifyTwoFactor, (input) => verifyTwoFactor(tools, input)),
    operation(Refresh, refreshing(tools)),
    operation(Logout, (input) => logout(tools, input)),
    operation(GetMe, (input) => getMe(tools, input)),
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
    operation(ListApiKeys, (input) => listApiKeys(tools, input)),
    operation(DeleteApiKey, (input) => revokeApiKey(tools, input)),
    internalOperation(ResolveCredential, (asked) => resolveCredential(tools, asked)),
    internalOperation(ReadCredentialGeneration, () => readGeneration(tools)),
    reaction(OrganizationCreated, (data, event) => completeFounding(tools, data, event.id)),
  ],
  publish,
  running: [housekeeping(tools)],
});
