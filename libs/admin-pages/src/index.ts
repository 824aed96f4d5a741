export { adminPages } from './admin-pages.ts';
export { buildSettings } from './build-settings.ts';
export type { PagesHandler } from './admin-pages.ts';
