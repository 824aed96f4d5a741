import { MessageFailed, conversationIdOf } from '@messaging-gateway/contracts';
import { publication, type Publication } from '@messaging-gateway/service';
import type { ScheduleEvent } from './schedule-events.ts';

/** What a schedule tells the outside: that it failed before there was a message. All else is told by its message. */
export function schedulePublications({ type, data }: ScheduleEvent): readonly Publication[] {
  if (type !== 'ScheduledMessageFailed' || data.type === undefined) return [];
  const { scheduleId: messageId, profileId, to, error } = data;
  const conversationId = conversationIdOf(profileId, to);
  return [publication(MessageFailed, { messageId, to, type: data.type, conversationId, origin: 'schedule', error })];
}
