export * from './drafting.ts';
export * from './forecast.ts';
export { BroadcastForecast } from './forecast-shape.ts';
export * from './reading.ts';
export * from './running.ts';
export { Broadcast, BroadcastRecipient, BroadcastStats, type BroadcastMessageOf, type QuietHoursOf } from './shapes.ts';
