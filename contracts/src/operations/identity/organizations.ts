import { Type } from 'typebox';
import { operation, organizationLimits } from '../../contract.ts';
import { closed } from '../../shapes.ts';
import { Organization } from './organization-shapes.ts';
import { Name } from './shapes.ts';

export const GetOrganization = operation({
  name: 'GetOrganization',
  owner: 'identity',
  method: 'GET',
  path: '/organizations/current',
  access: 'org:read',
  tag: 'Organizations',
  summary: 'Get current organization',
  means: 'The organization of the credential.',
  answers: { 200: { body: Organization, means: 'The organization.' } },
  errors: ['UNAUTHORIZED', 'FORBIDDEN'],
});

export const UpdateOrganization = operation({
  name: 'UpdateOrganization',
  owner: 'identity',
  method: 'PUT',
  path: '/organizations/current',
  access: 'org:update',
  refusesKeysLimitedIn: organizationLimits,
  tag: 'Organizations',
  summary: 'Update current organization',
  means: 'Changes the name of the organization, or its time zone: what is given. Until it has one, that is UTC.',
  body: closed({
    name: Type.Optional(Name),
    timezone: Type.Optional(
      Type.String({ format: 'timezone', maxLength: 64, description: 'IANA name, such as `Asia/Jakarta`' }),
    ),
  }),
  answers: { 200: { body: Organization, means: 'The organization as it is now.' } },
  errors: ['UNAUTHORIZED', 'FORBIDDEN'],
  example: { name: 'Analytical Engines', timezone: 'Europe/London' },
});
