import { describe } from '@jest/globals';
import { silentLogger, systemClock } from '@messaging-gateway/runtime';
import { unreadableEntries } from '../suites/unreadable.suite.ts';
import { inProcessEventBus } from './event-bus.ts';

describe('an entry of a journal that one process reads', () => {
  unreadableEntries(() => ({
    events: inProcessEventBus({ clock: systemClock, log: silentLogger }),
    close: async () => undefined,
  }));
});
