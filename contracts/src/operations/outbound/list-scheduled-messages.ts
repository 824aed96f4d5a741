import { Type } from 'typebox';
import { operation } from '../../contract.ts';
import { Id, closed, page, pageQuery } from '../../shapes.ts';
import { ScheduleStatus, ScheduledMessage } from './scheduled-message.ts';

export const ListScheduledMessages = operation({
  name: 'ListScheduledMessages',
  owner: 'outbound',
  method: 'GET',
  path: '/messages/schedule/:id',
  access: 'message:read',
  tag: 'Messages',
  summary: 'List scheduled messages of a profile',
  means:
    'In the order of their times, also those that were sent, failed or were cancelled: these for SEND_HISTORY_RETENTION_DAYS after that.',
  params: closed({ id: { ...Id, description: 'Id of the profile' } }),
  query: closed({ ...pageQuery, status: Type.Optional(ScheduleStatus) }),
  answers: { 200: { body: page(ScheduledMessage), means: 'A page of scheduled messages.' } },
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'],
});
