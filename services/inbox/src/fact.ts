import type { Caller, EventEnvelope } from '@messaging-gateway/contracts';
import type { EventMetadata } from '@messaging-gateway/event-sourcing';
import { actorOf, type RequestContext } from '@messaging-gateway/service';

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

/** Metadata of what is journalled because somebody asked for it. */
export function askedBy(caller: Caller, { requestId, traceparent }: RequestContext, profileId: string): EventMetadata {
  const { organizationId } = caller;
  return {
    organizationId,
    profileId,
    subject: `organization:${organizationId}`,
    actor: actorOf(caller),
    requestId,
    ...(traceparent !== undefined && { traceparent }),
  };
}
