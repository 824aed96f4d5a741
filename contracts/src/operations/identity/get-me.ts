import { operation } from '../../contract.ts';
import { CurrentUser } from './shapes.ts';

export const GetMe = operation({
  name: 'GetMe',
  owner: 'identity',
  method: 'GET',
  path: '/auth/me',
  access: 'own',
  tag: 'Auth',
  beforePasswordChange: true,
  summary: 'Current user',
  means: 'The user of this request; with an API key its maker, with the permissions of the key.',
  answers: { 200: { body: CurrentUser, means: 'The user.' } },
  errors: ['UNAUTHORIZED'],
});
