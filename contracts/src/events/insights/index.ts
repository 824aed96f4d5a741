export * from './audit-recorded.ts';
