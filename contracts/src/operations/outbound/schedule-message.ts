import { operation } from '../../contract.ts';
import { Id, Recipient, Timestamp } from '../../shapes.ts';
import { ScheduledMessage, scheduledExample } from './scheduled-message.ts';
import { typedMessage } from './typed-message.ts';

export const ScheduleMessage = operation({
  name: 'ScheduleMessage',
  owner: 'outbound',
  method: 'POST',
  path: '/messages/schedule',
  access: 'message:send',
  tag: 'Messages',
  audit: 'schedule.create',
  summary: 'Schedule a message',
  means:
    'The message goes out at `scheduledAt`, never early and at most 5 s late, through the send gate of the profile. One that was ' +
    'missed while the gateway was down goes out at its start; one whose profile is not connected when it is due waits 24 h, then ' +
    'ends `failed`; both are marked `late` when they go out. At the daily limit it ends `failed`.',
  body: typedMessage<{ profileId: string; to: string; scheduledAt: string }>('ScheduleMessageRequest', {
    profileId: Id,
    to: Recipient,
    scheduledAt: Timestamp,
  }),
  bodyLimit: 'media',
  answers: { 201: { body: ScheduledMessage, means: 'The message is scheduled.', example: scheduledExample } },
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND', 'QUOTA_REACHED'],
  example: {
    profileId: '0198c0de-0000-7000-8000-000000000001',
    to: '4915112345678',
    type: 'text',
    content: { text: 'See you at noon' },
    scheduledAt: '2026-01-02T08:00:00.000Z',
  },
});
