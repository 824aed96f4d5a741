export { askAlive } from './alive.ts';
export { runProcess } from './process.ts';
export type { ProcessContext } from './process.ts';
export { runDistributed, startService } from './run-distributed.ts';
export { onceInAWhile } from '../process/once-in-a-while.ts';
