import { systemClock } from '@messaging-gateway/runtime';
import { operationsSuite } from '../suites/operations.suite.ts';
import { inProcessOperationBus } from './operation-bus.ts';

operationsSuite('one process', async () => {
  const bus = inProcessOperationBus({ clock: systemClock });
  return { asking: bus, serving: bus, clock: systemClock, close: async () => undefined };
});
