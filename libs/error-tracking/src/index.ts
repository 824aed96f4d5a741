export { errorTracking, lastWordsMs } from './tracker.ts';
export type { ErrorTracking } from './tracker.ts';
export { errorTrackingSettings } from './settings.ts';
