import { operation } from '../../contract.ts';

export const Logout = operation({
  name: 'Logout',
  owner: 'identity',
  method: 'POST',
  path: '/auth/logout',
  access: 'own:write',
  tag: 'Auth',
  browserSession: 'ends',
  beforePasswordChange: true,
  audit: { action: 'auth.logout', resourceType: 'session' },
  summary: 'Log out',
  means:
    'Ends the session of this request: its access token and its refresh token stop working at once. Cookies of a browser are taken back also when the session has ended before.',
  answers: { 204: { means: 'The session has ended.' } },
  errors: ['UNAUTHORIZED', 'FORBIDDEN'],
});
