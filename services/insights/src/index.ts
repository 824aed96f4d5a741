export { insightsSettings } from './config.ts';
export type { InsightsSettings } from './config.ts';
export { insights } from './service.ts';
