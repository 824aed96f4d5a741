export { specification } from './specification.ts';
export type { Given, Outcome } from './specification.ts';
export { testDatabase } from './database.ts';
export type { TestDatabase } from './database.ts';
