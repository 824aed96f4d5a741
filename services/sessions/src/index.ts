export { sessionsSettings } from './config.ts';
export type { SessionsSettings } from './config.ts';
export { sessions } from './service.ts';
