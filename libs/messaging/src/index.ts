export { Unavailable } from '@messaging-gateway/runtime';
export type { CommandHandler, CommandQueue, RetryPolicy } from './commands.ts';
export type { EventBus, EventHandler, Subscription } from './events.ts';
export type { OperationBus, OperationHandler, RequestOptions } from './operations.ts';
export { Refused } from './refused.ts';
