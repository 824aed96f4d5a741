import type { EventEnvelope } from '@messaging-gateway/contracts';
import type { EventBus, EventSource } from '@messaging-gateway/messaging';
import { inSpan, type Facts, type Spans } from '../spans.ts';
import { under } from './operations.ts';

/**
 * Events in spans: one as the event leaves the journal, one for each attempt of a group to handle it. A durable part
 * that goes on hours later is a child all the same: one trace from the request to the webhook.
 */
export function tracedEvents(bus: EventBus, spans: Spans): EventBus {
  return {
    ...bus,
    subscribe: (subscription) => {
      const { group, handler } = subscription;
      return bus.subscribe({
        ...subscription,
        handler: (event) =>
          inSpan(
            spans,
            `process ${event.type}`,
            {
              kind: 'consumer',
              parent: event.traceparent,
              facts: { ...factsOf('process', event), 'messaging.consumer.group.name': group },
            },
            (traceparent) => handler(under(event, traceparent)),
          ),
      });
    },
    publishFrom: (source) => bus.publishFrom(tracedSource(source, spans)),
  };
}

const tracedSource = (source: EventSource, spans: Spans): EventSource => ({
  ...source,
  mark: (event) => {
    const span = spans.start(`publish ${event.type}`, {
      kind: 'producer',
      parent: event.traceparent,
      facts: factsOf('send', event),
    });
    span?.end();
    return under(event, span?.traceparent);
  },
});

const factsOf = (what: 'send' | 'process', event: EventEnvelope): Facts => ({
  'messaging.system': 'messaging-gateway',
  'messaging.operation.type': what,
  'messaging.destination.name': event.type,
  'messaging.message.id': event.id,
  'organization.id': event.organizationId,
  'profile.id': event.profileId,
  'request.id': event.requestId,
});
