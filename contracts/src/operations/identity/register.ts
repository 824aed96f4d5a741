import { Type } from 'typebox';
import { operation } from '../../contract.ts';
import { closed } from '../../shapes.ts';
import { EmailAddress, Name, NewPassword, SignedIn } from './shapes.ts';

export const Register = operation({
  name: 'Register',
  owner: 'identity',
  method: 'POST',
  path: '/auth/register',
  access: 'public',
  tag: 'Auth',
  browserSession: 'begins',
  audit: { action: 'auth.register', resourceType: 'user' },
  summary: 'Register',
  means:
    'Makes a user with an organization (role Owner), a workspace "Default" and an account "Default", and signs the user in. ' +
    'With REGISTRATION=closed only the first user can register.',
  body: closed({ email: EmailAddress, password: NewPassword, name: Name, organizationName: Type.Optional(Name) }),
  answers: { 201: { body: SignedIn, means: 'The user exists and is signed in.' } },
  errors: ['CONFLICT', 'FORBIDDEN'],
  throttle: 'auth',
  example: { email: 'ada@example.com', password: 'correct horse battery', name: 'Ada' },
});
