import { EraseInsightsData, ReadInsightsData } from '@messaging-gateway/contracts';
import { service } from '@messaging-gateway/service';
import { audit } from './audit/feature.ts';
import type { InsightsSettings } from './config.ts';

/** Everything that insights does: the audit. */
export const insights = service<InsightsSettings>('insights', {
  features: [audit],
  personalData: { erase: EraseInsightsData, read: ReadInsightsData },
});
