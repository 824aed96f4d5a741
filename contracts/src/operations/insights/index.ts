export * from './get-audit-summary.ts';
export * from './list-audit-actions.ts';
export * from './list-audit-logs.ts';
export * from './shapes.ts';
export * from './statistics/index.ts';
export * from './notifications/index.ts';
