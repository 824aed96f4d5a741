import { operation } from '../../contract.ts';
import { Id, afterEvent, closed } from '../../shapes.ts';
import { MessageRecord, messageExample } from './shapes.ts';

export const GetMessage = operation({
  name: 'GetMessage',
  owner: 'inbox',
  method: 'GET',
  path: '/messages/:id',
  access: 'message:read',
  tag: 'Messages',
  summary: 'Get one message',
  means: 'A stored message, incoming or outgoing, with its status of this moment.',
  params: closed({ id: Id }),
  query: closed(afterEvent),
  answers: { 200: { body: MessageRecord, means: 'The message.', example: messageExample } },
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'],
});
