import { EraseInsightsData, ReadInsightsData } from '@messaging-gateway/contracts';
import { service } from '@messaging-gateway/service';
import { audit } from './audit/feature.ts';
import type { InsightsSettings } from './config.ts';
import { statistics } from './statistics/feature.ts';

/** Everything that insights does: the audit, statistics. */
export const insights = service<InsightsSettings>('insights', {
  features: [audit, statistics],
  personalData: { erase: EraseInsightsData, read: ReadInsightsData },
});
