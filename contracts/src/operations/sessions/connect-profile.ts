import { Type } from 'typebox';
import { operation } from '../../contract.ts';
import { Recipient, closed } from '../../shapes.ts';
import { ConnectResult, accountProfileParams, idParams } from './shapes.ts';

const means =
  'Starts the connection. A profile that is not linked yet shows a QR code soon after, or, with `phoneNumber`, is linked by the ' +
  'pairing code in the answer, which the network has accepted; 502 ENGINE_REFUSED if it refuses. Repeating it never opens a second connection.';
const body = closed({ phoneNumber: Type.Optional(Recipient) });
const answers = { 202: { body: ConnectResult, means: 'The connection is being made, or there already.' } };

export const ConnectProfile = operation({
  name: 'ConnectProfile',
  owner: 'sessions',
  method: 'POST',
  path: '/profiles/:id/connect',
  access: 'profile:connect',
  tag: 'Profiles',
  summary: 'Start the connection',
  means,
  params: idParams,
  body,
  bodyOptional: true,
  answers,
  errors: [
    'NOT_FOUND',
    'FORBIDDEN',
    'CONFLICT',
    'QUOTA_REACHED',
    'ENGINE_UNSUPPORTED',
    'ENGINE_REFUSED',
    'ENGINE_TIMEOUT',
  ],
  timeoutMs: 45_000,
  example: {},
});

export const ConnectAccountProfile = operation({
  name: 'ConnectAccountProfile',
  owner: 'sessions',
  method: 'POST',
  path: '/accounts/:accountId/profiles/:profileId/connect',
  access: 'profile:connect',
  tag: 'Profiles',
  audit: 'profile.connect',
  summary: 'Start the connection of a profile of an account',
  means,
  params: accountProfileParams,
  body,
  bodyOptional: true,
  answers,
  errors: [
    'NOT_FOUND',
    'FORBIDDEN',
    'CONFLICT',
    'QUOTA_REACHED',
    'ENGINE_UNSUPPORTED',
    'ENGINE_REFUSED',
    'ENGINE_TIMEOUT',
  ],
  timeoutMs: 45_000,
  example: {},
});
