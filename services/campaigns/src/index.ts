export { campaignsSettings } from './config.ts';
export type { CampaignsSettings } from './config.ts';
export { campaigns } from './service.ts';
