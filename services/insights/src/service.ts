import { EraseInsightsData, ReadInsightsData } from '@messaging-gateway/contracts';
import { service } from '@messaging-gateway/service';
import { audience } from './audience/feature.ts';
import { audit } from './audit/feature.ts';
import type { InsightsSettings } from './config.ts';
import { mails } from './mails/feature.ts';
import { notifications } from './notifications/feature.ts';
import { push } from './push/feature.ts';
import { statistics } from './statistics/feature.ts';

/** Everything that insights does: the audit, statistics, notifications, Web Push, mails. */
export const insights = service<InsightsSettings>('insights', {
  features: [audit, statistics, audience, push, mails, notifications],
  personalData: { erase: EraseInsightsData, read: ReadInsightsData },
});
