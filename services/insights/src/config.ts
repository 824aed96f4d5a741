import { setting, type Setting, type SettingsOf } from '@messaging-gateway/runtime';

/** Settings of insights. */
export const insightsSettings = {
  auditRetentionDays: {
    variable: 'AUDIT_RETENTION_DAYS',
    byDefault: '365',
    means: 'How long entries of the audit are kept, days; fractions are allowed.',
    read: setting.fraction(365),
  },
  statisticsRetentionDays: {
    variable: 'STATISTICS_RETENTION_DAYS',
    byDefault: '730',
    means: 'How long messages are counted, days; fractions are allowed. Days of UTC go as a whole.',
    read: setting.fraction(730),
  },
  notificationRetentionDays: {
    variable: 'NOTIFICATION_RETENTION_DAYS',
    byDefault: '30',
    means: 'How long notifications are kept, days; fractions are allowed.',
    read: setting.fraction(30),
  },
} as const satisfies Record<string, Setting<unknown>>;

export type InsightsSettings = SettingsOf<typeof insightsSettings>;
