import { serverNow } from '../../api/clock.ts';
import { dayIn, daysAfter, ownZone } from '../../charts/buckets.ts';
import { reading } from '../../session/readings.ts';

const one = { query: { limit: 1 } };

/** What says, beside the profiles, which steps were taken. */
export const steps = {
  conversations: reading('ListConversations', one, 'profile:read', 'message:read'),
  keys: reading('ListApiKeys', one, 'profile:read', 'apikey:create'),
  webhooks: reading('ListWebhooks', one, 'profile:read', 'webhook:manage'),
};

/** What is counted beside the profiles. */
export const counts = {
  unread: reading('GetUnreadCount', {}, 'profile:read', 'message:read'),
  batches: reading('ListBatches', { query: { limit: 50 } }, 'profile:read', 'message:read'),
};

const shownDays = 14;

/** The last two weeks, today with them, by days of the browser's zone. */
export function lastDays() {
  const timezone = ownZone();
  return { timezone, from: daysAfter(dayIn(timezone, serverNow()), 1 - shownDays), granularity: 'day' as const };
}

/** Messages of some days. */
export const volumeOn = (days: ReturnType<typeof lastDays>) =>
  reading('GetMessageTrend', { query: days }, 'statistics:read');
