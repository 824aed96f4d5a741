export * from './automation-executed.ts';
