export { specification } from './specification.ts';
export type { Given, Outcome } from './specification.ts';
