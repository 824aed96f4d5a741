import {
  CancelBatch,
  CancelScheduledMessage,
  GetBatch,
  ListBatches,
  ListScheduledMessages,
  ScheduleMessage,
  SendBulk,
  SendOtp,
} from '@messaging-gateway/contracts';
import { answer, operation, type Job, type ServiceDefinition, type ServiceTools } from '@messaging-gateway/service';
import { BatchRecords } from '../bulk/batch-records.ts';
import { BatchRunner } from '../bulk/batch-runner.ts';
import { BulkSending } from '../bulk/bulk-sending.ts';
import type { Compose } from '../composing/composer.ts';
import type { OutboundSettings } from '../config.ts';
import type { MessageEvent } from '../message/message-events.ts';
import { httpChannel, mailChannel, tenantMailChannel } from '../otp/channels.ts';
import { OtpSending } from '../otp/otp-sending.ts';
import { SecondaryRights } from '../otp/secondary-rights.ts';
import { Planner } from '../schedule/planner.ts';
import { ScheduleRecords } from '../schedule/schedule-records.ts';
import { Scheduling } from '../schedule/scheduling.ts';
import type { Sending } from '../sending/sending.ts';
import type { UnattendedSending } from '../sending/unattended.ts';
import type { LaneRecords } from '../gate/lane-records.ts';

export interface LaterParts {
  readonly laneRecords: LaneRecords;
  readonly compose: Compose;
  readonly sending: Sending;
  readonly unattended: UnattendedSending;
}

/** What goes beyond a send: scheduled messages, batches, one-time codes. */
export interface Later {
  readonly rows: ServiceDefinition['rows'];
  readonly jobs: readonly Job[];
  /** Something happened to a message. */
  noted(event: MessageEvent): void;
  /** The profile is connected. */
  connected(profileId: string): Promise<void>;
  /** The profile is gone. */
  closed(profileId: string, organizationId: string): Promise<void>;
}

const hour = 3_600_000;

/** Puts the parts together: no logic. */
export function laterThan(tools: ServiceTools<OutboundSettings>, parts: LaterParts): Later {
  const { ask, clock, log, settings, sql, store } = tools;
  const { compose, laneRecords: lanes, sending, unattended } = parts;
  const schedules = new ScheduleRecords(sql);
  const planner = new Planner({ store, records: schedules, unattended, clock });
  const scheduling = new Scheduling({ store, clock, records: schedules, lanes, compose });
  const batches = new BatchRecords(sql);
  const timeToLive = settings.queuedMessageTtlHours * hour;
  const runner = new BatchRunner({ store, records: batches, unattended, clock, log, timeToLive, random: Math.random });
  const look = (): void => runner.job.wake();
  const bulk = new BulkSending({ store, clock, records: batches, lanes, compose, look });
  const { otpAckTimeoutMs: ackTimeoutMs, otpFallbackUrl, smtpUrl, smtpFrom } = settings;
  const mail = smtpUrl === undefined ? undefined : mailChannel(smtpUrl, smtpFrom);
  const http = otpFallbackUrl === undefined ? undefined : httpChannel(otpFallbackUrl);
  const rights = new SecondaryRights({
    sql,
    clock,
    ask,
    perOrganization: settings.otpFallbackDailyLimit,
    perRecipient: settings.otpFallbackRecipientDailyLimit,
  });
  const channels = { tenantMail: tenantMailChannel(ask), mail, http, rights };
  const otp = new OtpSending({ store, clock, log, lanes, sending, ackTimeoutMs, ...channels });
  return {
    rows: [
      operation(ScheduleMessage, (input) => scheduling.make(input)),
      operation(ListScheduledMessages, (input) => scheduling.list(input)),
      operation(CancelScheduledMessage, async (input) => {
        await scheduling.cancel(input);
        return answer(204);
      }),
      operation(SendBulk, (input) => bulk.send(input)),
      operation(ListBatches, (input) => bulk.list(input)),
      operation(GetBatch, (input) => bulk.get(input)),
      operation(CancelBatch, (input) => bulk.cancel(input)),
      operation(SendOtp, (input) => otp.send(input)),
    ],
    jobs: [planner.job, runner.job],
    noted: ({ type, data }) => {
      if ((type === 'MessageSent' || type === 'MessageFailed') && data.origin === 'bulk')
        runner.settled(data.messageId);
    },
    connected: async (profileId) => {
      await Promise.all([rights.linked(profileId), ...[planner, runner].map((one) => one.connected(profileId))]);
    },
    closed: async (profileId, organizationId) => {
      const close = [planner, runner].map((one) => one.close(profileId, organizationId));
      await Promise.all([rights.forget(profileId), ...close]);
    },
  };
}
