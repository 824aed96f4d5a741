import { GetMe, Login, Register, VerifyTwoFactor } from '@messaging-gateway/contracts';
import { feature, operation, type ServiceTools } from '@messaging-gateway/service';
import type { IdentitySettings } from '../config.ts';
import { access } from '../tools.ts';
import { logIn } from './logging-in.ts';
import { getMe } from './me.ts';
import { register } from './registering.ts';
import { verifyTwoFactor } from './verifying.ts';

/** How people come in: they register, or log in with a password and a second factor, and are told who they are. */
export const logins = feature({
  name: 'logins',
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
      operation(VerifyTwoFactor, (input) => verifyTwoFactor(tools, input)),
      operation(GetMe, (input) => getMe(input)),
    ],
  }),
});
