import { Type } from 'typebox';
import { operation } from '../../contract.ts';
import { ConnectionStatus } from '../../events/sessions/connection.ts';
import { Id, closed, page, pageQuery } from '../../shapes.ts';
import { Profile, accountParams } from './shapes.ts';

const filters = {
  ...pageQuery,
  status: Type.Optional(ConnectionStatus),
  search: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
};
const answers = { 200: { body: page(Profile), means: 'One page.' } };

export const ListProfiles = operation({
  name: 'ListProfiles',
  compressed: true,
  owner: 'sessions',
  method: 'GET',
  path: '/profiles',
  access: 'profile:read',
  tag: 'Profiles',
  summary: 'List profiles',
  means: 'The profiles of the organization that the credential may see, oldest first. `search` looks in the name.',
  query: closed({ ...filters, accountId: Type.Optional(Id) }),
  answers,
});

export const ListAccountProfiles = operation({
  name: 'ListAccountProfiles',
  compressed: true,
  owner: 'sessions',
  method: 'GET',
  path: '/accounts/:accountId/profiles',
  access: 'profile:read',
  tag: 'Profiles',
  summary: 'List profiles of an account',
  means: 'As `GET /profiles`, within one account.',
  params: accountParams,
  query: closed(filters),
  answers,
  errors: ['NOT_FOUND'],
});
