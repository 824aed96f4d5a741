export { sessionsSettings } from './config.ts';
export type { SessionsSettings } from './config.ts';
export { wantDisconnected } from './holding/disconnecting.ts';
export { sessions } from './service.ts';
