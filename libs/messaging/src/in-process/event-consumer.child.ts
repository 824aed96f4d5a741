import { setTimeout as delay } from 'node:timers/promises';
import { journalFixture } from './journal.fixture.ts';

const { DATABASE_URL = '', GROUP = '', KIND = '' } = process.env;
const { pool, connect } = journalFixture(DATABASE_URL);
const { bus } = await connect();
await bus.subscribe({
  group: GROUP,
  kinds: [KIND],
  home: { schema: 'taker', pool },
  handler: async ({ data }) => {
    process.stdout.write(`${(data as { n: number }).n}\n`);
    await delay(20);
  },
});
process.stdout.write('ready\n');
setInterval(() => undefined, 1_000);
