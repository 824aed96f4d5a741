import { operation } from '../../contract.ts';
import { closed } from '../../shapes.ts';
import { EmailAddress, GivenPassword, SignedIn } from './shapes.ts';

export const Login = operation({
  name: 'Login',
  owner: 'identity',
  method: 'POST',
  path: '/auth/login',
  access: 'public',
  tag: 'Auth',
  summary: 'Log in',
  means:
    'Starts a session. A wrong password and an unknown address are answered alike, in the same time. ' +
    'After 10 failed attempts an address is refused until the quarter of an hour is over.',
  body: closed({ email: EmailAddress, password: GivenPassword }),
  answers: { 200: { body: SignedIn, means: 'Signed in.' } },
  errors: ['UNAUTHORIZED'],
  throttle: 'auth',
  example: { email: 'ada@example.com', password: 'correct horse battery' },
});
