export * from './message-received.ts';
export * from './contact-updated.ts';
