import { Type } from 'typebox';
import { ShownContent } from '../../content/index.ts';
import { Failure, Id, Jid, MessageType, Timestamp, closed, nullable, oneOf } from '../../shapes.ts';

export const ScheduleStatus = oneOf(['pending', 'sent', 'failed', 'cancelled'], { title: 'ScheduleStatus' });

/** A message that is to go out at its time (`docs/decisions/0370-what-is-sent-later.md`). */
export const ScheduledMessage = closed(
  {
    id: Id,
    profileId: Id,
    to: Jid,
    type: MessageType,
    content: ShownContent,
    scheduledAt: Timestamp,
    status: ScheduleStatus,
    late: Type.Boolean({
      description: 'It went out more than 5 s after its time, or its profile was not connected then',
    }),
    messageId: nullable(Id),
    sentAt: nullable(Timestamp),
    error: nullable(Failure),
    createdAt: Timestamp,
  },
  { title: 'ScheduledMessage' },
);

export const scheduledExample = {
  id: '0198c0de-0000-7000-8000-000000000009',
  profileId: '0198c0de-0000-7000-8000-000000000001',
  to: '4915112345678@c.us',
  type: 'text',
  content: { type: 'text', text: 'See you at noon' },
  scheduledAt: '2026-01-02T08:00:00.000Z',
  status: 'pending',
  late: false,
  messageId: null,
  sentAt: null,
  error: null,
  createdAt: '2026-01-01T10:00:00.000Z',
};
