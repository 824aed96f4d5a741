import {
  CancelScheduledMessage,
  ConnectionReady,
  ListScheduledMessages,
  MessageFailed,
  ProfileDeleted,
  ScheduleMessage,
  conversationIdOf,
} from '@messaging-gateway/contracts';
import {
  answer,
  feature,
  operation,
  publication,
  reaction,
  tells,
  type ServiceTools,
} from '@messaging-gateway/service';
import type { OutboundSettings } from '../config.ts';
import { sendGate } from '../gate/feature.ts';
import { sending } from '../sending/feature.ts';
import { schedulesAndBatches } from './20260302000000-schedules-and-batches.migration.ts';
import { orderOfSchedules } from './20261101000000-order-of-schedules.migration.ts';
import { whenSchedulesWereSettled } from './20261122000000-when-schedules-were-settled.migration.ts';
import { Planner } from './planner.ts';
import { ScheduleRecords } from './schedule-records.ts';
import { scheduleStream } from './schedule.ts';
import { scheduleProgressView, schedulesView } from './schedules-view.ts';
import { Scheduling } from './scheduling.ts';

/** Messages that go out at a time of their own. */
export const schedules = feature({
  name: 'schedules',
  needs: { gate: sendGate, sending },
  streams: [scheduleStream],
  migrations: [schedulesAndBatches, orderOfSchedules, whenSchedulesWereSettled],
  views: [schedulesView, scheduleProgressView],
  tells: [
    tells(scheduleStream, {
      // All else is told by its message.
      ScheduledMessageFailed: ({ data: { scheduleId: messageId, profileId, to, type, error } }) => {
        if (type === undefined) return [];
        const conversationId = conversationIdOf(profileId, to);
        return [publication(MessageFailed, { messageId, to, type, conversationId, origin: 'schedule', error })];
      },
    }),
  ],
  connect: (tools: ServiceTools<OutboundSettings>, { gate, sending: { compose, unattended } }) => {
    const { clock, sql, store } = tools;
    const records = new ScheduleRecords(sql);
    const planner = new Planner({ store, records, unattended, clock });
    const scheduling = new Scheduling({ store, clock, records, lanes: gate.records, compose });
    return {
      rows: [
        operation(ScheduleMessage, (input) => scheduling.make(input)),
        operation(ListScheduledMessages, (input) => scheduling.list(input)),
        operation(CancelScheduledMessage, async (input) => {
          await scheduling.cancel(input);
          return answer(204);
        }),
      ],
      hears: [
        reaction(ConnectionReady, async (_, { profileId }) => {
          if (profileId !== undefined) await planner.connected(profileId);
        }),
        reaction(ProfileDeleted, ({ profileId }, { organizationId }) => planner.close(profileId, organizationId)),
      ],
      jobs: [planner.job],
      history: [records.history(tools.settings.sendHistoryRetentionDays)],
      personalData: {
        first: async ({ organizationId, wholeOrganization }) => {
          if (wholeOrganization) await planner.closeAll(organizationId);
        },
        sections: [
          {
            name: 'scheduledMessages',
            ofOrganization: true,
            sql: exported,
            show: async (item) => {
              const { state } = await store.load(scheduleStream, String(item['id']));
              return state.status === 'none' ? item : { ...item, to: state.facts.to, content: state.facts.content };
            },
          },
        ],
      },
    };
  },
});

const exported = `
  SELECT schedule_id::text AS key, jsonb_build_object('id', schedule_id, 'profileId', profile_id, 'scheduledAt', due_at,
         'status', status, 'sentAt', sent_at) AS item
    FROM schedules WHERE organization_id = $1 AND $2::uuid IS NOT NULL AND schedule_id::text > $3
   ORDER BY schedule_id::text LIMIT $4`;
