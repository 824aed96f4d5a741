import type { EventEnvelope, ToldEvent } from '@messaging-gateway/contracts';
import type { Static } from 'typebox';

/** The body of an event, as webhooks get it and `GET /events` shows it. */
export const toldEvent = (event: EventEnvelope): Static<typeof ToldEvent> => ({
  id: event.id,
  event: event.type,
  timestamp: event.time,
  profileId: event.profileId ?? null,
  data: event.data as Record<string, unknown>,
});
