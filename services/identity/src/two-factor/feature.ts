import { DisableTwoFactor, EnableTwoFactor, RenewBackupCodes, SetUpTwoFactor } from '@messaging-gateway/contracts';
import { feature, operation, type ServiceTools } from '@messaging-gateway/service';
import type { IdentitySettings } from '../config.ts';
import { access } from '../tools.ts';
import { twoFactorAndTemporaryPasswords } from './0003-two-factor-and-temporary-passwords.migration.ts';
import { disableTwoFactor, enableTwoFactor, renewBackupCodes, setUpTwoFactor } from './enrolling.ts';
import { TwoFactorRow, twoFactorsView } from './two-factor-view.ts';
import { twoFactorStream } from './two-factor.ts';

/** The second factor of a login: codes of an app, and backup codes. */
export const twoFactor = feature({
  name: 'two-factor',
  streams: [twoFactorStream],
  views: [twoFactorsView],
  migrations: [twoFactorAndTemporaryPasswords],
  entities: [TwoFactorRow],
  needs: { access },
  connect: (_: ServiceTools<IdentitySettings>, { access: { tools } }) => ({
    rows: [
      operation(SetUpTwoFactor, (input) => setUpTwoFactor(tools, input)),
      operation(EnableTwoFactor, (input) => enableTwoFactor(tools, input)),
      operation(DisableTwoFactor, (input) => disableTwoFactor(tools, input)),
      operation(RenewBackupCodes, (input) => renewBackupCodes(tools, input)),
    ],
  }),
});
