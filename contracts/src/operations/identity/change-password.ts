import { operation } from '../../contract.ts';
import { Count, closed } from '../../shapes.ts';
import { GivenPassword, NewPassword } from './shapes.ts';

export const ChangePassword = operation({
  name: 'ChangePassword',
  owner: 'identity',
  method: 'POST',
  path: '/auth/change-password',
  access: 'own:write',
  tag: 'Auth',
  throttle: 'password',
  beforePasswordChange: true,
  audit: 'auth.change_password',
  summary: 'Change password',
  means:
    'Sets a new password and revokes all other sessions. A wrong current password is answered with 403, and after 10 of them in 15 minutes with 429.',
  body: closed({ currentPassword: GivenPassword, newPassword: NewPassword }),
  answers: {
    200: { body: closed({ revokedCount: Count }), means: 'The new password holds; so many other sessions ended.' },
  },
  errors: ['UNAUTHORIZED', 'FORBIDDEN'],
  example: { currentPassword: 'correct horse battery', newPassword: 'another horse battery' },
});
