export * from './webhook-disabled.ts';
