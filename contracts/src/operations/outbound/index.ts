export * from './send-text.ts';
