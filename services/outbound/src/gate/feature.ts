import { DailyLimitReached } from '@messaging-gateway/contracts';
import { feature, publication, tells, type ServiceTools } from '@messaging-gateway/service';
import { dailyLimit } from './daily-limit.ts';
import { laneRecords } from './lane-records.ts';
import { placeGuard } from './place-guard.ts';
import { policyStream } from './sending-policy.ts';
import { lanesView, policiesView } from './send-gate.ts';

/** The send gate of profiles: delay, daily limit, and what is counted for them. */
export const sendGate = feature({
  name: 'send gate',
  streams: [policyStream],
  views: [lanesView, policiesView],
  guards: [placeGuard],
  tells: [
    tells(policyStream, {
      DailyLimitReached: ({ data: { profileId: id, limit, count, resetAt } }) => [
        publication(DailyLimitReached, { id, limit, count, resetAt }),
      ],
    }),
  ],
  connect: ({ sql, store, clock, log }: ServiceTools<unknown>) => ({
    api: { records: laneRecords(sql), dailyLimit: dailyLimit(store, clock, log) },
  }),
});
