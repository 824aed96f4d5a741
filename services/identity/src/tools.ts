import type { ServiceTools } from '@messaging-gateway/service';
import type { IdentitySettings } from './config.ts';
import type { Tokens } from './session/tokens.ts';
import type { Addresses } from './user/addresses.ts';
import type { Passwords } from './user/passwords.ts';

/** What the handlers of identity work with. */
export interface IdentityTools extends ServiceTools<IdentitySettings> {
  readonly tokens: Tokens;
  readonly passwords: Passwords;
  readonly addresses: Addresses;
}
