import { Type } from 'typebox';
import { operation } from '../../contract.ts';
import { closed } from '../../shapes.ts';
import { EmailAddress, GivenPassword, SignedIn, TwoFactorChallenge } from './shapes.ts';

export const Login = operation({
  name: 'Login',
  owner: 'identity',
  method: 'POST',
  path: '/auth/login',
  access: 'public',
  tag: 'Auth',
  browserSession: 'begins',
  audit: { action: 'auth.login', resourceType: 'session' },
  summary: 'Log in',
  means:
    'Starts a session, or, with two-factor login, answers `requires2FA` and a challenge. A wrong password and an unknown address are answered alike, in the same time. ' +
    'After 10 failed attempts in 15 minutes an address is refused for a while.',
  body: closed({ email: EmailAddress, password: GivenPassword }),
  answers: { 200: { body: Type.Union([SignedIn, TwoFactorChallenge]), means: 'Signed in, or a code is needed.' } },
  errors: ['UNAUTHORIZED'],
  throttle: 'auth',
  failuresBy: 'email',
  allowedInDemo: true,
  example: { email: 'ada@example.com', password: 'correct horse battery' },
});
