export { inboxSettings } from './config.ts';
export type { InboxSettings } from './config.ts';
export { inbox } from './service.ts';
export { listCountedMessages } from './message/counted-messages.ts';
