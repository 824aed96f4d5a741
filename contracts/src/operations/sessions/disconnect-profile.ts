import { operation } from '../../contract.ts';
import { DisconnectResult, accountProfileParams, idParams } from './shapes.ts';

const means = 'Ends the connection and keeps the link: the next connect needs no new scan.';
const answers = { 200: { body: DisconnectResult, means: 'The connection is down.' } };

export const DisconnectProfile = operation({
  name: 'DisconnectProfile',
  owner: 'sessions',
  method: 'POST',
  path: '/profiles/:id/disconnect',
  access: 'profile:connect',
  tag: 'Profiles',
  audit: { action: 'profile.disconnect', carriedOut: true },
  summary: 'Disconnect',
  means,
  params: idParams,
  answers,
  errors: ['NOT_FOUND', 'FORBIDDEN'],
});

export const DisconnectAccountProfile = operation({
  name: 'DisconnectAccountProfile',
  owner: 'sessions',
  method: 'POST',
  path: '/accounts/:accountId/profiles/:profileId/disconnect',
  access: 'profile:connect',
  tag: 'Profiles',
  audit: { action: 'profile.disconnect', carriedOut: true },
  summary: 'Disconnect a profile of an account',
  means,
  params: accountProfileParams,
  answers,
  errors: ['NOT_FOUND', 'FORBIDDEN'],
});
