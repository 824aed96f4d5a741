export { adminPages } from './admin-pages.ts';
export type { PagesHandler } from './admin-pages.ts';
