export { entityManagers, type Entities } from './entity-managers.ts';
export { entityPage, type EntityOrder } from './entity-page.ts';
