import { Type } from 'typebox';
import { operation } from '../../contract.ts';
import { closed } from '../../shapes.ts';
import { GivenPassword } from './shapes.ts';

const means =
  'Deletes the own user and erases all that is held about it, in every service: rows are deleted, and what the journals hold ' +
  'is made unreadable by destroying its key. The credentials stop working at once; the erasure goes on by itself, also after ' +
  'a restart. An only member takes the organization along with all that it has: profiles are unlinked, contacts, messages, ' +
  'media and webhooks go. The last Owner beside other members is refused with 409. The address can register again. Facts ' +
  'that were told go with their retention. A wrong password is answered with 403, and after 10 of them in 15 minutes with 429.';
const shared = {
  owner: 'identity',
  method: 'DELETE',
  access: 'own:write',
  tag: 'Personal data',
  means,
  throttle: 'password',
  audit: 'user.delete',
  body: closed({ password: GivenPassword }),
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'CONFLICT'],
  example: { password: 'correct horse battery' },
} as const;

export const DeleteAccountData = operation({
  ...shared,
  name: 'DeleteAccountData',
  path: '/account/delete',
  summary: 'Delete account and personal data',
  answers: { 202: { body: closed({ status: Type.Literal('erasing') }), means: 'The erasure has begun.' } },
});

export const DeleteOwnAccount = operation({
  ...shared,
  name: 'DeleteOwnAccount',
  path: '/auth/account',
  tag: 'Auth',
  summary: 'Delete the current user account',
  answers: { 204: { means: 'The account is gone; the erasure has begun.' } },
});
