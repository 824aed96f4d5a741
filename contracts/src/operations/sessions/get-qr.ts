import { operation } from '../../contract.ts';
import { QrCode, accountProfileParams, idParams, waitQuery } from './shapes.ts';

const means =
  'The code to scan in the linked-devices screen of the phone: as JSON, with `Accept: image/png` as an image, with `text/plain` as a picture for ' +
  'the terminal. It is there between connect and the scan, otherwise 404 says what to do; with `wait` the answer waits until there is one.';
const answers = { 200: { body: QrCode, means: 'The code of this moment; a new one follows when it expires.' } };

export const GetProfileQr = operation({
  name: 'GetProfileQr',
  owner: 'sessions',
  method: 'GET',
  path: '/profiles/:id/qr',
  access: 'profile:connect',
  tag: 'Profiles',
  summary: 'Current QR code',
  means,
  params: idParams,
  query: waitQuery,
  waits: true,
  timeoutMs: 70_000,
  qrField: 'qr',
  answers,
  errors: ['NOT_FOUND', 'FORBIDDEN'],
});

export const GetQr = operation({
  name: 'GetQr',
  owner: 'sessions',
  method: 'GET',
  path: '/accounts/:accountId/profiles/:profileId/qr',
  access: 'profile:connect',
  tag: 'Profiles',
  summary: 'Current QR code of a profile of an account',
  means,
  params: accountProfileParams,
  query: waitQuery,
  waits: true,
  timeoutMs: 70_000,
  qrField: 'qr',
  answers,
  errors: ['NOT_FOUND', 'FORBIDDEN'],
});
