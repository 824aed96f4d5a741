import { EraseCampaignsData, ReadCampaignsData } from '@messaging-gateway/contracts';
import { service } from '@messaging-gateway/service';
import { broadcasts } from './broadcasts/feature.ts';
import type { CampaignsSettings } from './config.ts';
import { suppressions } from './suppressions/feature.ts';
import { templates } from './templates/feature.ts';

/** Messages that are prepared once and sent to many: templates and broadcasts; and to whom nothing is sent. */
export const campaigns = service<CampaignsSettings>('campaigns', {
  features: [templates, suppressions, broadcasts],
  personalData: { erase: EraseCampaignsData, read: ReadCampaignsData },
});
