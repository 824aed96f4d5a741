export { automationSettings } from './config.ts';
export { automation } from './service.ts';
