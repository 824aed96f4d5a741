export * from './contact-updated.ts';
export * from './conversation-disappearing.ts';
export * from './conversation-handover.ts';
export * from './conversation-joined.ts';
export * from './conversation-read.ts';
export * from './conversation-updated.ts';
export * from './message-changed.ts';
export * from './message-received.ts';
