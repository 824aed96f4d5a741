import { operation } from '../../contract.ts';
import { Id, closed } from '../../shapes.ts';

export const CancelScheduledMessage = operation({
  name: 'CancelScheduledMessage',
  owner: 'outbound',
  method: 'DELETE',
  path: '/messages/schedule/:id',
  access: 'message:send',
  tag: 'Messages',
  audit: 'schedule.cancel',
  summary: 'Cancel a scheduled message',
  means: 'Only while it is `pending`. It stays in the list, as `cancelled`.',
  params: closed({ id: { ...Id, description: 'Id of the scheduled message' } }),
  answers: { 204: { means: 'The message will not be sent.' } },
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
});
