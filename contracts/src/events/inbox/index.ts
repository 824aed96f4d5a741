export * from './message-received.ts';
