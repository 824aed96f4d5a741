import { DescribeEvent, ReadEvents, ReadLive, TellLive, events } from '@messaging-gateway/contracts';
import {
  Arrivals,
  feature,
  batchedReaction,
  internalOperation,
  operation,
  type ServiceTools,
} from '@messaging-gateway/service';
import type { WebhooksSettings } from '../config.ts';
import { deliveries } from '../delivery/feature.ts';
import { webhooks } from '../webhook/feature.ts';
import { traceContextMigration } from './0002-trace-context.migration.ts';
import { removedFromTheLog } from './0003-removed-from-the-log.migration.ts';
import { describeEvent } from './describing.ts';
import { eraseOrganization } from './erasing.ts';
import { eventsSection } from './event-log.ts';
import { Heads } from './heads.ts';
import { Intake } from './intake.ts';
import { readEvents, readLive } from './reading.ts';
import { retention } from './retention.ts';
import { tellLive } from './telling-live.ts';

const told = events.filter(({ visibility, live }) => visibility === 'public' || live === true);

/**
 * The log of public events: each comes in here, can be read for some days, and leads to the deliveries of those who want it. What is told
 * live alone stands in it too, for `GET /live` and nobody else.
 */
export const eventLog = feature({
  name: 'log of events',
  migrations: [traceContextMigration, removedFromTheLog],
  needs: { webhooks, deliveries },
  connect: (given: ServiceTools<WebhooksSettings>, needed) => {
    const { sql, clock, settings } = given;
    const { dispatcher } = needed.deliveries;
    const arrivals = new Arrivals(clock);
    const tools = { ...given, arrivals, heads: new Heads(sql), subscriptions: needed.webhooks.subscriptions };
    const intake = new Intake({
      sql,
      now: () => clock.now(),
      claimant: () => dispatcher.claimant(),
      onLogged: (organizations, fannedOut, claimed) => {
        arrivals.tell(organizations);
        dispatcher.offer(fannedOut, claimed);
      },
      onBroken: () => dispatcher.suspectStrays(),
    });
    return {
      rows: [
        operation(ReadEvents, (input) => readEvents(tools, input)),
        operation(ReadLive, (input) => readLive(tools, input)),
        internalOperation(DescribeEvent, (body) => describeEvent(sql, body)),
        internalOperation(TellLive, (body) => tellLive(intake, body)),
      ],
      hears: told.map((contract) => batchedReaction(contract, (_, event) => intake.take(event))),
      running: [{ start: async () => undefined, stop: async () => arrivals.stop() }],
      jobs: [retention(tools, settings.eventRetentionDays)],
      personalData: {
        first: async ({ organizationId, wholeOrganization }) => {
          if (wholeOrganization) await eraseOrganization(tools, organizationId);
        },
        sections: [eventsSection],
      },
    };
  },
});
