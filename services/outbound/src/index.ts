export { outboundSettings } from './config.ts';
export type { OutboundSettings } from './config.ts';
export { outbound } from './service.ts';
