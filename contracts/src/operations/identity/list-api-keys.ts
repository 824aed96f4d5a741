import { operation } from '../../contract.ts';
import { closed, page, pageQuery } from '../../shapes.ts';
import { ApiKey } from './shapes.ts';

export const ListApiKeys = operation({
  name: 'ListApiKeys',
  owner: 'identity',
  method: 'GET',
  path: '/api-keys',
  access: 'apikey:read',
  tag: 'API keys',
  summary: 'List keys',
  means: 'Keys of the organization that were not revoked, newest first; expired ones are shown with `expiresAt`.',
  query: closed(pageQuery),
  answers: { 200: { body: page(ApiKey), means: 'A page of keys.' } },
  errors: ['UNAUTHORIZED', 'FORBIDDEN'],
});
