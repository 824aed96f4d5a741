import { describe } from '@jest/globals';
import { eventDelivery } from './event-delivery.suite.ts';
import { eventFailures } from './event-failures.suite.ts';
import { eventsContext, type EventsUnderTest } from './events.harness.ts';

/** The promises of every event bus. */
export function eventsSuite(adapter: string, open: () => Promise<EventsUnderTest>): void {
  describe(`events over ${adapter}`, () => {
    const context = eventsContext(open);
    eventDelivery(context);
    eventFailures(context);
  });
}
