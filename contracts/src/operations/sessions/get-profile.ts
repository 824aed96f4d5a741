import { Type } from 'typebox';
import { operation } from '../../contract.ts';
import { closed } from '../../shapes.ts';
import { Profile, ProfileHealthState, ProfileStatus, Wait, accountProfileParams, idParams } from './shapes.ts';

const answers = { 200: { body: Profile, means: 'The profile.' } };

export const GetProfile = operation({
  name: 'GetProfile',
  owner: 'sessions',
  method: 'GET',
  path: '/profiles/:id',
  access: 'profile:read',
  tag: 'Profiles',
  summary: 'Get a profile',
  means: 'One profile with the counters of its send gate.',
  params: idParams,
  answers,
  errors: ['NOT_FOUND', 'FORBIDDEN'],
});

export const GetAccountProfile = operation({
  name: 'GetAccountProfile',
  owner: 'sessions',
  method: 'GET',
  path: '/accounts/:accountId/profiles/:profileId',
  access: 'profile:read',
  tag: 'Profiles',
  summary: 'Get a profile of an account',
  means: 'As `GET /profiles/:id`, within one account.',
  params: accountProfileParams,
  answers,
  errors: ['NOT_FOUND', 'FORBIDDEN'],
});

export const GetProfileStatus = operation({
  name: 'GetProfileStatus',
  owner: 'sessions',
  method: 'GET',
  path: '/profiles/:id/status',
  access: 'profile:read',
  tag: 'Profiles',
  summary: 'Connection status of a profile',
  means:
    'Where the connection stands, since when, and why when something is wrong. With `wait` and `until` the answer comes when one of those statuses ' +
    'is reached, or when the time is over, with the status that holds then.',
  params: idParams,
  query: closed({
    wait: Type.Optional(Wait),
    until: Type.Optional(
      Type.String({
        format: 'statuses',
        default: 'connected',
        description: 'Statuses to wait for, comma-separated',
      }),
    ),
  }),
  waits: true,
  timeoutMs: 70_000,
  answers: { 200: { body: ProfileStatus, means: 'The status.' } },
  errors: ['NOT_FOUND', 'FORBIDDEN'],
});

export const GetProfileHealth = operation({
  name: 'GetProfileHealth',
  owner: 'sessions',
  method: 'GET',
  path: '/profiles/:id/health',
  access: 'profile:read',
  tag: 'Profiles',
  summary: 'Get the health of a profile',
  means:
    'Restrictions and quotas that the network has put on the account, and the counters of today. The response is the last reported state; ' +
    '`fresh` queries the network first, at most once in 10 minutes per profile. With an engine that cannot query the network, `restriction` ' +
    'and `newChats` are null.',
  params: idParams,
  query: closed({
    fresh: Type.Optional(Type.Boolean({ default: false, description: 'Query the network before the response' })),
  }),
  timeoutMs: 30_000,
  answers: { 200: { body: ProfileHealthState, means: 'The health of the profile.' } },
  errors: ['NOT_FOUND', 'FORBIDDEN'],
});
