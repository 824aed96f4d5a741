import { setting, type Setting, type SettingsOf } from '@messaging-gateway/runtime';
import { publicUrl, retentionSettings } from '@messaging-gateway/service';

/** Settings of webhooks. */
export const webhooksSettings = {
  isAlone: {
    variable: 'AMQP_URL',
    byDefault: 'none',
    means: 'Without brokers one process delivers: what a killed one had in hand is free again at once.',
    read: (text: string | undefined): boolean => text === undefined,
  },
  timeoutMs: {
    variable: 'WEBHOOK_TIMEOUT_MS',
    byDefault: '30000',
    means: 'How long one attempt of a webhook delivery may take, milliseconds.',
    read: setting.integer(30_000, 1, 600_000),
  },
  retryAttempts: {
    variable: 'WEBHOOK_RETRY_ATTEMPTS',
    byDefault: '5',
    means: 'Attempts of a webhook delivery before it has failed.',
    read: setting.integer(5, 1, 50),
  },
  retryDelayMs: {
    variable: 'WEBHOOK_RETRY_DELAY_MS',
    byDefault: '30000',
    means: 'Wait after the first failed attempt, milliseconds; it doubles with each further one.',
    read: setting.integer(30_000, 0, 86_400_000),
  },
  allowPrivateTargets: {
    variable: 'WEBHOOK_ALLOW_PRIVATE_TARGETS',
    byDefault: 'false',
    means:
      'Allows URLs given by tenants to lead to loopback, private and reserved addresses; metadata services stay blocked.',
    read: setting.flag(false),
  },
  disableAfterHours: {
    variable: 'WEBHOOK_DISABLE_AFTER_HOURS',
    byDefault: '72',
    means:
      'A webhook with nothing but failures for so many hours is disabled; fractions are allowed, 0 never disables.',
    read: setting.fraction(72),
  },
  publicUrl,
  eventRetentionDays: retentionSettings.eventRetentionDays,
  concurrency: {
    variable: 'WORKER_CONCURRENCY',
    byDefault: '10',
    means: 'Deliveries under way at the same time to one webhook.',
    read: setting.integer(10, 1, 1000),
  },
} as const satisfies Record<string, Setting<unknown>>;

export type WebhooksSettings = SettingsOf<typeof webhooksSettings>;
