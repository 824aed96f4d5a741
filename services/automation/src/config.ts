import { setting, type Setting, type SettingsOf } from '@messaging-gateway/runtime';
import { retentionSettings } from '@messaging-gateway/service';

/** Settings of automation. */
export const automationSettings = {
  maxAgeSeconds: {
    variable: 'AUTOMATION_MAX_AGE_SECONDS',
    byDefault: '300',
    means: 'Seconds: messages that were written longer ago are not answered automatically.',
    read: setting.integer(300, 1, 86_400),
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

export type AutomationSettings = SettingsOf<typeof automationSettings>;
