import { operation } from '../../contract.ts';
import { Account, idParams } from './shapes.ts';

export const GetAccount = operation({
  name: 'GetAccount',
  owner: 'sessions',
  method: 'GET',
  path: '/accounts/:id',
  access: 'profile:read',
  tag: 'Accounts',
  summary: 'Get an account',
  means: 'One account of the organization.',
  params: idParams,
  answers: { 200: { body: Account, means: 'The account.' } },
  errors: ['NOT_FOUND'],
});
