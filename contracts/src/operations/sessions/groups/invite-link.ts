import { Type } from 'typebox';
import { operation } from '../../../contract.ts';
import { closed } from '../../../shapes.ts';
import { groupErrors, groupParams, groupQuery } from './shapes.ts';

const inviting = {
  owner: 'sessions',
  tag: 'Groups',
  params: groupParams,
  query: groupQuery,
  errors: groupErrors,
} as const;

const body = closed({ link: Type.String({ format: 'uri', description: 'Whoever opens it can join' }) });
const example = { link: 'https://chat.whatsapp.com/AbCdEfGhIjKlMnOpQrStUv' };

export const GetInviteLink = operation({
  ...inviting,
  name: 'GetInviteLink',
  method: 'GET',
  path: '/groups/:groupId/invite-link',
  access: 'group:read',
  summary: 'Get the invite link of a group',
  means: 'Only admins of the group may. Whoever has the link can join until it is revoked.',
  answers: { 200: { body, means: 'The link.', example } },
});

export const RevokeInviteLink = operation({
  ...inviting,
  name: 'RevokeInviteLink',
  method: 'POST',
  path: '/groups/:groupId/invite-link/revoke',
  access: 'group:manage',
  audit: { action: 'group.revoke_invite_link', resourceParameter: 'groupId', carriedOut: true },
  summary: 'Revoke the invite link of a group',
  means: 'The old link leads nowhere any more. Only admins of the group may.',
  answers: { 200: { body, means: 'The new link.', example } },
});
