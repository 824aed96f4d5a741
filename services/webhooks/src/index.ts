export { webhooksSettings } from './config.ts';
export type { WebhooksSettings } from './config.ts';
export { webhooks } from './service.ts';
