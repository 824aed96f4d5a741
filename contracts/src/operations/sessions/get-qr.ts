import { operation } from '../../contract.ts';
import { QrCode, accountProfileParams } from './shapes.ts';

export const GetQr = operation({
  name: 'GetQr',
  owner: 'sessions',
  method: 'GET',
  path: '/accounts/:accountId/profiles/:profileId/qr',
  access: 'profile:connect',
  tag: 'Profiles',
  summary: 'Current QR code',
  means:
    'The code to scan in the linked-devices screen of the phone. 404 before connect, until the network has sent one, and once connected.',
  params: accountProfileParams,
  answers: { 200: { body: QrCode, means: 'The code of this moment; a new one follows when it expires.' } },
  errors: ['NOT_FOUND', 'FORBIDDEN'],
});
