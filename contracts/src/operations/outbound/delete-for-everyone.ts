import { Id, closed } from '../../shapes.ts';
import { sendOperation } from './send-operation.ts';

export const DeleteForEveryone = sendOperation({
  name: 'DeleteForEveryone',
  path: '/messages/delete-for-everyone',
  audit: 'message.delete_for_everyone',
  summary: 'Delete a message for everyone',
  means:
    'Takes back a message that the profile has sent, within 60 hours, after which phones no longer heed it. `messageId` of the ' +
    'answer is that of the deleted message. Takes no place in the daily limit and waits for no delay.',
  body: closed({ profileId: Id, messageId: Id }),
  errors: ['CONFLICT'],
  example: { messageId: '0198c0de-0000-7000-8000-000000000002' },
});
