import { operation } from '../../contract.ts';
import { accountProfileParams, idParams } from './shapes.ts';

const means = 'Unlinks the number from its phone, deletes the session data and fails what is queued.';
const answers = { 204: { means: 'The profile is gone.' } };

export const DeleteProfile = operation({
  name: 'DeleteProfile',
  owner: 'sessions',
  method: 'DELETE',
  path: '/profiles/:id',
  access: 'profile:delete',
  tag: 'Profiles',
  summary: 'Delete a profile',
  means,
  params: idParams,
  answers,
  errors: ['NOT_FOUND', 'FORBIDDEN'],
});

export const DeleteAccountProfile = operation({
  name: 'DeleteAccountProfile',
  owner: 'sessions',
  method: 'DELETE',
  path: '/accounts/:accountId/profiles/:profileId',
  access: 'profile:delete',
  tag: 'Profiles',
  audit: 'profile.delete',
  summary: 'Delete a profile of an account',
  means,
  params: accountProfileParams,
  answers,
  errors: ['NOT_FOUND', 'FORBIDDEN'],
});
