import type { Caller } from '@messaging-gateway/contracts';
import type { AuditMark, EventStore, StreamType } from '@messaging-gateway/event-sourcing';
import type { RequestContext } from './definition.ts';

interface CarriedOut {
  readonly isDone: boolean;
}

/**
 * Requests that changed something which is in no journal: one stream each, for the audit. A service lists it among its
 * streams when a contract of its operations says `carriedOut`.
 */
export const auditedRequests: StreamType<CarriedOut, object, { type: 'CarriedOut'; data: object }> = {
  name: 'request',
  decider: {
    initial: { isDone: false },
    decide: (_, { isDone }) => (isDone ? [] : [{ type: 'CarriedOut', data: {} }]),
    evolve: () => ({ isDone: true }),
  },
  events: { CarriedOut: { version: 1 } },
  ends: true,
};

/** Writes down that a request was carried out. Once, however often it is repeated. */
export async function recordRequest(
  store: EventStore,
  mark: AuditMark,
  { organizationId }: Caller,
  { requestId, appended }: Pick<RequestContext, 'requestId' | 'appended'>,
): Promise<void> {
  const metadata = {
    organizationId,
    subject: `organization:${organizationId}`,
    requestId,
    ...(mark.actor !== undefined && { actor: mark.actor }),
  };
  await store.handle(auditedRequests, mark.id, {}, { metadata, onAppended: appended });
}
