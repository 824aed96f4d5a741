import type { ServiceTools } from '@messaging-gateway/service';
import type { CampaignsSettings } from '../config.ts';

/** Parts that handlers of templates work with. */
export type TemplateTools = ServiceTools<CampaignsSettings>;
