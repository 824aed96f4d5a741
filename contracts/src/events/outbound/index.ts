export * from './message-accepted.ts';
export * from './message-progress.ts';
export * from './message-sent.ts';
export * from './message-settled.ts';
export * from './bulk-completed.ts';
