export { entityManagers } from './entity-managers.ts';
export { entityPage, type EntityOrder } from './entity-page.ts';
