import { EraseInsightsData, ReadInsightsData } from '@messaging-gateway/contracts';
import { service } from '@messaging-gateway/service';
import { audience } from './audience/feature.ts';
import { audit } from './audit/feature.ts';
import type { InsightsSettings } from './config.ts';
import { notifications } from './notifications/feature.ts';
import { statistics } from './statistics/feature.ts';

/** Everything that insights does: the audit, statistics, notifications. */
export const insights = service<InsightsSettings>('insights', {
  features: [audit, statistics, audience, notifications],
  personalData: { erase: EraseInsightsData, read: ReadInsightsData },
});
