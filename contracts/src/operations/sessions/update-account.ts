import { Type } from 'typebox';
import { operation } from '../../contract.ts';
import { closed, nullable } from '../../shapes.ts';
import { Account, ResourceName, idParams } from './shapes.ts';

export const UpdateAccount = operation({
  name: 'UpdateAccount',
  owner: 'sessions',
  method: 'PUT',
  path: '/accounts/:id',
  access: 'profile:update',
  refusesKeysLimitedIn: ['profiles'],
  tag: 'Accounts',
  summary: 'Update an account',
  means: 'Changes the fields given and leaves the others as they are.',
  params: idParams,
  body: closed({
    name: Type.Optional(ResourceName),
    description: Type.Optional(nullable(Type.String({ maxLength: 1000 }))),
  }),
  answers: { 200: { body: Account, means: 'The account as it is now.' } },
  errors: ['NOT_FOUND'],
  example: { name: 'Support' },
});
