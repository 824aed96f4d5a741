import { buildSettings } from '@messaging-gateway/admin-pages';
import { setting, type Setting } from '@messaging-gateway/runtime';

/** The settings of the web UI, where it is served by itself. */
export const adminSettings = {
  port: {
    variable: 'ADMIN_PORT',
    byDefault: '3001',
    means: 'Port of the web UI, where it is served by itself.',
    read: setting.integer(3001, 0, 65_535),
  },
  host: {
    variable: 'ADMIN_HOST',
    byDefault: '0.0.0.0',
    means: 'Address that it binds to.',
    read: setting.text('0.0.0.0'),
  },
  ...buildSettings,
} as const satisfies Record<string, Setting<unknown>>;
