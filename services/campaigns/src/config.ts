import { setting, type Setting, type SettingsOf } from '@messaging-gateway/runtime';
import { retentionSettings } from '@messaging-gateway/service';

/** Settings of campaigns. */
export const campaignsSettings = {
  maxRecipients: {
    variable: 'BROADCAST_MAX_RECIPIENTS',
    byDefault: '100000',
    means: 'Recipients of a broadcast, at most: more are refused when it starts.',
    read: setting.integer(100_000, 1, 10_000_000),
  },
  queuedMessageTtlHours: {
    variable: 'QUEUED_MESSAGE_TTL_HOURS',
    byDefault: '72',
    means: 'Hours (fractions allowed) for which what was accepted may still wait, and with it the media of a template.',
    read: setting.fraction(72),
  },
  uploadRetentionDays: {
    variable: 'UPLOAD_RETENTION_DAYS',
    byDefault: '400',
    means:
      'How long the media of a broadcast are kept after it has ended, as uploads are, days; fractions are allowed.',
    read: setting.fraction(400),
  },
  allowPrivateTargets: {
    variable: 'WEBHOOK_ALLOW_PRIVATE_TARGETS',
    byDefault: 'false',
    means:
      'Allows URLs given by tenants to lead to loopback, private and reserved addresses; metadata services stay blocked.',
    read: setting.flag(false),
  },
  eventRetentionDays: retentionSettings.eventRetentionDays,
} as const satisfies Record<string, Setting<unknown>>;

export type CampaignsSettings = SettingsOf<typeof campaignsSettings>;
