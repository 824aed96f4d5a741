import { operation } from '../../contract.ts';
import { Id, closed } from '../../shapes.ts';

export const DeleteMessage = operation({
  name: 'DeleteMessage',
  owner: 'inbox',
  method: 'DELETE',
  path: '/messages/:id',
  access: 'message:delete',
  tag: 'Messages',
  summary: 'Delete a message locally',
  means:
    'Deletes a stored message, in the gateway only: whoever got it keeps it. A message still to be sent is sent all the same.',
  params: closed({ id: Id }),
  answers: { 204: { means: 'The message is gone.' } },
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'],
});
