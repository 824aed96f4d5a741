import { setting, type Setting } from '@messaging-gateway/runtime';

/** Settings that are fixed when the app is built; the process that serves it reads the same variables. */
export const buildSettings = {
  apiUrl: {
    variable: 'ADMIN_PUBLIC_API_URL',
    byDefault: 'the origin that serves the page',
    means:
      'URL under which browsers reach the API from the web UI, where that is served by itself (`services/admin`), for example `https://api.example.com`. Fixed when the UI is built. `CORS_ORIGINS` must name the origin of the page, which must be of the same site: the same host, or hosts of one domain.',
    read: (text: string | undefined): string | undefined => {
      if (text === undefined) return undefined;
      const url = URL.canParse(text) ? new URL(text) : undefined;
      if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
        throw new Error('must be an http or https URL without credentials');
      return text;
    },
  },
  demoMode: {
    variable: 'ADMIN_PUBLIC_DEMO_MODE',
    byDefault: 'false',
    means:
      '`true` has the web UI show that this is a demonstration. Fixed when the UI is built; `DEMO_MODE` is another matter.',
    read: setting.flag(false),
  },
} as const satisfies Record<string, Setting<unknown>>;
