import { fileURLToPath } from 'node:url';
import { testDatabase } from '@messaging-gateway/testing';
import { childConsumer } from '../suites/child-consumer.ts';
import { eventsSuite } from '../suites/events.suite.ts';
import { journalFixture } from './journal.fixture.ts';

const script = fileURLToPath(new URL('event-consumer.child.ts', import.meta.url));

eventsSuite('journals', async () => {
  const database = await testDatabase();
  const { pool, migrate, tell, connect, close } = journalFixture(database.url);
  await migrate();
  return {
    tell,
    home: { schema: 'taker', pool },
    connect: ({ shuffled } = {}) => connect(shuffled === true ? () => Math.random() * 20 : undefined),
    child: (group, kind) => childConsumer(script, { DATABASE_URL: database.url, GROUP: group, KIND: kind }),
    close: async () => {
      await close();
      await database.drop();
    },
  };
});
