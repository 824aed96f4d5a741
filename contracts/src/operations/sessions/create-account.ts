import { Type } from 'typebox';
import { operation } from '../../contract.ts';
import { Id, closed, nullable } from '../../shapes.ts';
import { Account, ResourceName } from './shapes.ts';

export const CreateAccount = operation({
  name: 'CreateAccount',
  owner: 'sessions',
  method: 'POST',
  path: '/accounts',
  access: 'profile:create',
  refusesKeysLimitedIn: ['profiles'],
  tag: 'Accounts',
  summary: 'Create an account',
  means: 'Makes a folder for profiles. Without `workspaceId` it lies in the workspace of the account "Default".',
  body: closed({
    name: ResourceName,
    description: Type.Optional(nullable(Type.String({ maxLength: 1000 }))),
    workspaceId: Type.Optional(Id),
  }),
  answers: { 201: { body: Account, means: 'The account exists.' } },
  errors: ['NOT_FOUND', 'CONFLICT'],
  example: { name: 'Sales', description: 'All numbers of the sales team' },
});
