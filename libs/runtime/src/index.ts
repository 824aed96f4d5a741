export type { Cache } from './cache.ts';
export type { Clock } from './clock.ts';
export type { Logger } from './logger.ts';
export type { Metrics } from './metrics.ts';
export { readSettings, SettingsFault } from './settings.ts';
export type { Setting, SettingsOf, SettingsTable } from './settings.ts';
export * as setting from './setting-parsers.ts';
export type { RateLimit } from './setting-parsers.ts';
