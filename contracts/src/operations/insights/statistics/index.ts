export * from './get-automation-statistics.ts';
export * from './get-broadcast-statistics.ts';
export * from './get-contact-statistics.ts';
export * from './get-dashboard.ts';
export * from './get-message-statistics.ts';
export * from './get-message-trend.ts';
export * from './get-response-time.ts';
