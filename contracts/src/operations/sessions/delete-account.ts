import { operation } from '../../contract.ts';
import { idParams } from './shapes.ts';

export const DeleteAccount = operation({
  name: 'DeleteAccount',
  owner: 'sessions',
  method: 'DELETE',
  path: '/accounts/:id',
  access: 'profile:delete',
  refusesKeysLimitedIn: ['profiles'],
  tag: 'Accounts',
  summary: 'Delete an account',
  means: 'Only an account without profiles can be deleted; otherwise 409.',
  params: idParams,
  answers: { 204: { means: 'The account is gone.' } },
  errors: ['NOT_FOUND', 'CONFLICT'],
});
