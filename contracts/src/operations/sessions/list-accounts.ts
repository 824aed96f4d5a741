import { Type } from 'typebox';
import { operation } from '../../contract.ts';
import { Id, closed, page, pageQuery } from '../../shapes.ts';
import { Account } from './shapes.ts';

export const ListAccounts = operation({
  name: 'ListAccounts',
  compressed: true,
  owner: 'sessions',
  method: 'GET',
  path: '/accounts',
  access: 'profile:read',
  tag: 'Accounts',
  summary: 'List accounts',
  means: 'The accounts of the organization, oldest first. `search` looks in the name.',
  query: closed({
    ...pageQuery,
    workspaceId: Type.Optional(Id),
    search: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  }),
  answers: { 200: { body: page(Account), means: 'One page.' } },
});
