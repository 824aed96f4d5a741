import { rebalanceSetting } from '@messaging-gateway/leases';
import { setting, type SettingsOf, type SettingsTable } from '@messaging-gateway/runtime';
import { retentionSettings } from '@messaging-gateway/service';
import { otpSettings } from './one-time-codes/otp-settings.ts';
import { voiceNoteSettings } from './voice-notes/settings.ts';

/** How long journals are kept; a variable with a fault says so itself. */
function keptDays(environment: NodeJS.ProcessEnv): number {
  const days = Object.values(retentionSettings).map(({ variable, read }) => {
    try {
      return read(environment[variable]?.trim() || undefined);
    } catch {
      return Infinity;
    }
  });
  return Math.max(...days);
}

/** The environment variables of outbound. */
export const outboundSettings = {
  durableSend: {
    variable: 'DURABLE_SEND',
    byDefault: 'false',
    means:
      'When `true`, outbound sends are queued (202) and delivered with retry; otherwise a send is answered once the network took it.',
    read: setting.flag(false),
  },
  sendConcurrency: {
    variable: 'OUTBOUND_SEND_CONCURRENCY',
    byDefault: '10',
    means:
      'Deliveries from the durable queue at the same time, at most, over all profiles of a process. Tenants take turns, and one that ' +
      'takes more than half a second, since it waits for the network, is not counted any longer.',
    read: setting.integer(10, 1, 10_000),
  },
  queuedMessageTtlHours: {
    variable: 'QUEUED_MESSAGE_TTL_HOURS',
    byDefault: '72',
    means:
      'Hours (fractions allowed) after which a queued message that could not go out ends `failed` with the reason `EXPIRED`; ' +
      'not longer than EVENT_RETENTION_DAYS or RECEIPT_WINDOW_DAYS, whichever is longer.',
    read: (text: string | undefined, environment: NodeJS.ProcessEnv): number => {
      const hours = setting.fraction(72)(text);
      const days = keptDays(environment);
      if (hours > days * 24)
        throw new Error(
          `(${hours} hours) must not be longer than journals are kept: RECEIPT_WINDOW_DAYS or EVENT_RETENTION_DAYS (${days} days)`,
        );
      return hours;
    },
  },
  isAlone: {
    variable: 'AMQP_URL',
    byDefault: 'none',
    means: 'Without brokers one process owns all lanes and takes them at its start.',
    read: (text: string | undefined): boolean => text === undefined,
  },
  allowPrivateTargets: {
    variable: 'WEBHOOK_ALLOW_PRIVATE_TARGETS',
    byDefault: 'false',
    means:
      'Allows URLs given by tenants to lead to loopback, private and reserved addresses; metadata services stay blocked.',
    read: setting.flag(false),
  },
  rebalanceSeconds: rebalanceSetting,
  ...voiceNoteSettings,
  ...otpSettings,
  receiptWindowDays: retentionSettings.receiptWindowDays,
  // A request may be repeated for a day and is answered with what it made.
  sendHistoryRetentionDays: {
    variable: 'SEND_HISTORY_RETENTION_DAYS',
    byDefault: '400',
    means:
      'How long scheduled messages and batches, with their results, are kept once they are settled, days; fractions are allowed, at least 1.',
    read: setting.fraction(400, 1),
  },
} as const satisfies SettingsTable;

export type OutboundSettings = SettingsOf<typeof outboundSettings> & {
  /** A replica without a heartbeat for so long is dead to the others, milliseconds. No variable: all replicas use the same value, tests a shorter one. */
  readonly replicaTtlMs?: number;
};
