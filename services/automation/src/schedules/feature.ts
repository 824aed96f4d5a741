import { ScheduleMissed } from '@messaging-gateway/contracts';
import { feature, publication, tells, type ServiceTools } from '@messaging-gateway/service';
import { answerers } from '../answerers/feature.ts';
import type { AutomationSettings } from '../config.ts';
import { flows } from '../flows/feature.ts';
import { runs } from '../runs/feature.ts';
import { schedulesMigration } from './20261124050000-schedules.migration.ts';
import { beginGuard } from './begin-guard.ts';
import { Firer } from './firer.ts';
import { firingStream } from './firing.ts';
import { ScheduleRecords } from './schedule-records.ts';
import { firingOfScheduleView, firingsView, schedulesView } from './schedules-view.ts';

/** Flows that fire at times, for the people whom they are for. */
export const schedules = feature({
  name: 'schedules',
  needs: { answerers, flows, runs },
  streams: [firingStream],
  views: [schedulesView, firingOfScheduleView, firingsView],
  guards: [beginGuard],
  migrations: [schedulesMigration],
  tells: [
    tells(firingStream, {
      FiringMissed: ({ data: { flowId, profileId, minute, nextAt } }) => [
        publication(ScheduleMissed, { flowId, profileId, missedAt: minute, nextAt }),
      ],
    }),
  ],
  connect: (tools: ServiceTools<AutomationSettings>, { runs: { runner } }) => {
    const { ask, clock, em, log, settings, sql, store } = tools;
    const records = new ScheduleRecords(sql);
    const { job } = new Firer({ ask, clock, em, log, store, records, runner });
    return {
      jobs: [job],
      history: [records.history(settings.eventRetentionDays)],
      personalData: { tables: ['schedules', 'firings'] },
    };
  },
});
