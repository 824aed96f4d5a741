import type { EventEnvelope, ToldEvent } from '@messaging-gateway/contracts';
import type { Static } from 'typebox';

/** What webhooks get and `GET /events` shows of an event. */
export const toldEvent = (event: EventEnvelope): Static<typeof ToldEvent> => ({
  id: event.id,
  event: event.type,
  timestamp: event.time,
  profileId: event.profileId ?? null,
  data: event.data as Record<string, unknown>,
});
