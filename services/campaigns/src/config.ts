import { setting, type Setting, type SettingsOf } from '@messaging-gateway/runtime';

/** Settings of campaigns. */
export const campaignsSettings = {
  maxRecipients: {
    variable: 'BROADCAST_MAX_RECIPIENTS',
    byDefault: '100000',
    means: 'Recipients of a broadcast, at most: more are refused when it starts.',
    read: setting.integer(100_000, 1, 10_000_000),
  },
} as const satisfies Record<string, Setting<unknown>>;

export type CampaignsSettings = SettingsOf<typeof campaignsSettings>;
