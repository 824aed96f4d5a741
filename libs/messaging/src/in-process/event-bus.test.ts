import { fileURLToPath } from 'node:url';
import { silentLogger, systemClock } from '@messaging-gateway/runtime';
import { testDatabase } from '@messaging-gateway/testing';
import { childConsumer } from '../suites/child-consumer.ts';
import { eventsSuite } from '../suites/events.suite.ts';
import { journalFixture } from '../suites/journal.fixture.ts';
import { inProcessEventBus } from './event-bus.ts';

const script = fileURLToPath(new URL('event-consumer.child.ts', import.meta.url));

eventsSuite('journals', async () => {
  const database = await testDatabase();
  const { pool, migrate, tell, connect, close } = journalFixture(database.url);
  await migrate();
  return {
    tell,
    home: { schema: 'taker', pool },
    connect: ({ shuffled } = {}) => {
      const shuffle = shuffled === true && { shuffle: () => Math.random() * 20 };
      return connect(inProcessEventBus({ clock: systemClock, log: silentLogger, ...shuffle }));
    },
    child: (group, kind) => childConsumer(script, { DATABASE_URL: database.url, GROUP: group, KIND: kind }),
    close: async () => {
      await close();
      await database.drop();
    },
  };
});
