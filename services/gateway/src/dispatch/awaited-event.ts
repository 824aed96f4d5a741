import { DescribeEvent, type AnswerOf, type EventMark, type OperationRequest } from '@messaging-gateway/contracts';
import type { OperationBus } from '@messaging-gateway/messaging';
import type { Clock } from '@messaging-gateway/runtime';
import { v7 } from 'uuid';

/** So long a read waits for an event that it was told, milliseconds. */
const waitMs = 5_000;
/** Views have long come past events of this age, milliseconds. */
const settledMs = 60_000;

/**
 * The mark of an event that a client names with `after`, so that the owner has handled it before it reads.
 *
 * @returns undefined when there is nothing to wait for
 */
export async function awaitedEvent(
  { bus, clock }: { readonly bus: OperationBus; readonly clock: Clock },
  eventId: string,
  { requestId, caller, deadline, traceparent }: OperationRequest,
): Promise<EventMark | undefined> {
  if (caller === undefined) return undefined;
  const { body } = await bus.request(DescribeEvent.name, {
    requestId,
    resourceId: v7(),
    params: {},
    query: {},
    body: { organizationId: caller.organizationId, eventId },
    deadline,
    ...(traceparent !== undefined && { traceparent }),
  });
  const { event } = body as AnswerOf<typeof DescribeEvent>;
  if (event === null) return { id: eventId, waitMs };
  if (clock.now() - Date.parse(event.occurredAt) > settledMs) return undefined;
  return { id: eventId, type: event.kind, waitMs };
}
