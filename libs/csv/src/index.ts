export { readCell, separating, writtenCell } from './cells.ts';
