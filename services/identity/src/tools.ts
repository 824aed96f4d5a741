import { feature, type ServiceTools } from '@messaging-gateway/service';
import type { IdentitySettings } from './config.ts';
import { tokens, type Tokens } from './session/tokens.ts';
import { addresses, type Addresses } from './user/addresses.ts';
import { passwords, type Passwords } from './user/passwords.ts';

/** Parts that the handlers of identity work with. */
export interface IdentityTools extends ServiceTools<IdentitySettings> {
  readonly tokens: Tokens;
  readonly passwords: Passwords;
  readonly addresses: Addresses;
}

/** Tools that the features share: passwords are hashed two at once in the whole process. */
export const access = feature({
  name: 'access',
  connect: (given: ServiceTools<IdentitySettings>) => {
    const tools: IdentityTools = {
      ...given,
      tokens: tokens(given.settings, given.clock),
      passwords: passwords(),
      addresses: addresses(given),
    };
    return { api: { tools } };
  },
});
