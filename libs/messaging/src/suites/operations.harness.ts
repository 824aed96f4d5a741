import type { OperationRequest } from '@messaging-gateway/contracts';
import type { Clock } from '@messaging-gateway/runtime';
import type { OperationBus } from '../operations.ts';
import type { Refused } from '../refused.ts';
import type { ChildConsumer } from './child-consumer.ts';

/** Two participants of one bus: for an adapter over a broker, two connections. */
export interface OperationsUnderTest {
  readonly asking: OperationBus;
  readonly serving: OperationBus;
  readonly clock: Clock;
  /**
   * For an adapter that can leave the process: another process that serves `Slow`, also at the route `child`. It prints the `resourceId` of each
   * request as it begins and takes an hour for it.
   */
  child?(): Promise<ChildConsumer>;
  close(): Promise<void>;
}

let count = 0;
/** The name of an operation that nobody else uses. */
export const freshOperation = (): string => `Operation${(count += 1)}`;

export const testRequest = (clock: Clock, given: Partial<OperationRequest> = {}): OperationRequest => ({
  requestId: 'request-1',
  resourceId: '0198c0de-0000-7000-8000-000000000001',
  params: {},
  query: {},
  body: {},
  deadline: clock.now() + 120_000,
  ...given,
});

export const detailsOf = (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => 'answered',
    (error: Refused) => error.details,
  );

export const codeOf = (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    () => 'answered',
    (error: Refused) => error.code,
  );
