import type { AuditMark, EventMetadata } from '@messaging-gateway/event-sourcing';
import type { EventEnvelope } from '@messaging-gateway/contracts';
import { actorOf, type OperationInput } from '@messaging-gateway/service';

/** Caller and context of a request. */
export type Asking = Pick<OperationInput<unknown>, 'caller' | 'context'>;

/** Metadata of what somebody asked for: the organization's data, under its key. */
export function askedBy({ caller, context }: Asking): EventMetadata {
  const { organizationId } = caller;
  return {
    organizationId,
    subject: `organization:${organizationId}`,
    actor: actorOf(caller),
    requestId: context.requestId,
    ...(context.traceparent !== undefined && { traceparent: context.traceparent }),
  };
}

/** Metadata of what came of a fact. @param audit for what is to be found in the audit */
export function causedBy(event: EventEnvelope, audit?: AuditMark): EventMetadata {
  const { organizationId, requestId, traceparent } = event;
  return {
    organizationId,
    subject: `organization:${organizationId}`,
    actor: 'service:campaigns',
    cause: event.id,
    ...(requestId !== undefined && { requestId }),
    ...(traceparent !== undefined && { traceparent }),
    ...(audit && { audit }),
  };
}
