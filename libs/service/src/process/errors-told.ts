import { errorTracking, type ErrorTracking } from '@messaging-gateway/error-tracking';
import type { processSettings } from '../settings/process-settings.ts';
import type { SettingsOf } from '@messaging-gateway/runtime';
import { version } from './first-lines.ts';

/** Tells of errors as the settings say; undefined: they are logged only. */
export function errorTrackingOf({
  errorTrackingDsn,
  environment,
}: Pick<SettingsOf<typeof processSettings>, 'errorTrackingDsn' | 'environment'>): ErrorTracking | undefined {
  return errorTrackingDsn === undefined
    ? undefined
    : errorTracking(errorTrackingDsn, { release: version, environment });
}
