export { Unavailable } from '@messaging-gateway/runtime';
export {
  discardDeadLetters,
  forgetDeadLetters,
  keepDeadLetter,
  listDeadLetters,
  putBackDeadLetters,
} from './dead-letters.ts';
export type { DeadLetter, DeadLetterStore } from './dead-letters.ts';
export { envelopesOf, marksOf } from './envelopes.ts';
export { comparePlaces, eventIdOf, sequenceOf } from './event-id.ts';
export type {
  ConsumerHome,
  EventBus,
  EventHandler,
  EventSource,
  GivenUp,
  PublishedFact,
  Subscription,
  Way,
} from './events.ts';
export { inProcessEventBus } from './in-process/event-bus.ts';
export type { InProcessEventBusOptions } from './in-process/event-bus.ts';
export { inProcessOperationBus } from './in-process/operation-bus.ts';
export { consumerMigrations } from './migrations.ts';
export type { MessagingMigration } from './migrations.ts';
export { isUnseen, unseen } from './operations.ts';
export type { OperationBus, OperationHandler, RequestOptions } from './operations.ts';
export { invalid, quotaReached, Refused } from './refused.ts';
export type { Sealing } from './sealing.ts';
