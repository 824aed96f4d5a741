export { insightsSettings } from './config.ts';
export type { InsightsSettings } from './config.ts';
export { insights } from './service.ts';
export { rebuildStatistics } from './statistics/views/rebuild-statistics.ts';
export { statisticsViews } from './statistics/views/rebuilding.ts';
export type { News } from './statistics/facts/fact.ts';
export { takeIn as takeNews } from './statistics/facts/taking.ts';
