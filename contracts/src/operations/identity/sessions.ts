import { Type } from 'typebox';
import { operation } from '../../contract.ts';
import { Count, Id, closed } from '../../shapes.ts';
import { UserSession } from './shapes.ts';

export const ListSessions = operation({
  name: 'ListSessions',
  owner: 'identity',
  method: 'GET',
  path: '/auth/sessions',
  access: 'own',
  tag: 'Auth',
  summary: 'List active sessions',
  means: 'Sessions of the user that have neither ended nor expired, newest first.',
  answers: { 200: { body: Type.Array(UserSession), means: 'The sessions.' } },
  errors: ['UNAUTHORIZED'],
});

export const RevokeSession = operation({
  name: 'RevokeSession',
  owner: 'identity',
  method: 'DELETE',
  path: '/auth/sessions/:id',
  access: 'own:write',
  tag: 'Auth',
  summary: 'Revoke one session',
  means: 'Ends one of the own sessions; its tokens stop working at once.',
  params: closed({ id: Id }),
  answers: { 204: { means: 'The session has ended.' } },
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'],
});

export const RevokeOtherSessions = operation({
  name: 'RevokeOtherSessions',
  owner: 'identity',
  method: 'DELETE',
  path: '/auth/sessions',
  access: 'own:write',
  tag: 'Auth',
  audit: { action: 'session.revoke_others', resourceParameter: null },
  summary: 'Revoke all sessions except the current',
  means: 'Ends all own sessions but that of this request.',
  answers: { 200: { body: closed({ revokedCount: Count }), means: 'How many sessions ended.' } },
  errors: ['UNAUTHORIZED', 'FORBIDDEN'],
});
