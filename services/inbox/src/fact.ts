import type { EventEnvelope } from '@messaging-gateway/contracts';
import type { EventMetadata } from '@messaging-gateway/event-sourcing';

/** Metadata of what is journalled because of a fact: tenant data, under the key of the organization. */
export function causedBy(event: EventEnvelope, profileId = event.profileId): EventMetadata {
  const { organizationId, requestId, traceparent } = event;
  return {
    organizationId,
    subject: `organization:${organizationId}`,
    actor: `service:${event.source}`,
    cause: event.id,
    ...(profileId !== undefined && { profileId }),
    ...(requestId !== undefined && { requestId }),
    ...(traceparent !== undefined && { traceparent }),
  };
}
