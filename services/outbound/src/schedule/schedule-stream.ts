import type { StreamType } from '@messaging-gateway/event-sourcing';
import type { ScheduleEvent } from './schedule-events.ts';
import { schedule, type Schedule, type ScheduleCommand } from './schedule.ts';

/** `schedule-<scheduleId>`: one may wait for longer than the retention, so it goes when it has been settled for long (`later/history.ts`). */
export const scheduleStream: StreamType<Schedule, ScheduleCommand, ScheduleEvent> = {
  name: 'schedule',
  decider: schedule,
  events: {
    MessageScheduled: { version: 1, personal: ['to', 'content'] },
    ScheduledMessageReleased: { version: 1 },
    ScheduledMessageFailed: { version: 1, personal: ['to'] },
    ScheduledMessageCancelled: { version: 1 },
  },
};
