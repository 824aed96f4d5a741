import { operation } from '../../contract.ts';
import { Id, closed } from '../../shapes.ts';

export const DeleteApiKey = operation({
  name: 'DeleteApiKey',
  owner: 'identity',
  method: 'DELETE',
  path: '/api-keys/:id',
  access: 'apikey:delete',
  tag: 'API keys',
  summary: 'Revoke key',
  means: 'The key stops working at once, and so do keys that were made with it.',
  params: closed({ id: Id }),
  answers: { 204: { means: 'The key is revoked.' } },
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'],
});
