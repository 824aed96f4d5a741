import type { SettingsTable } from '@messaging-gateway/runtime';
import { envelopeAddress } from './dsn.ts';

/** Where errors are told. */
export const errorTrackingSettings = {
  errorTrackingDsn: {
    variable: 'ERROR_TRACKING_DSN',
    byDefault: 'none: errors are logged only',
    secret: true,
    means:
      'DSN of a Sentry-compatible service, `https://<key>@<host>/<project>`: it is told of each error that is logged, with release, service and request id, without texts and numbers.',
    read: (text: string | undefined): string | undefined => {
      if (text !== undefined) envelopeAddress(text);
      return text;
    },
  },
} as const satisfies SettingsTable;
