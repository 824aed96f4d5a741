import { silentLogger, systemClock } from '@messaging-gateway/runtime';
import { journalFixture } from '../suites/journal.fixture.ts';
import { inProcessEventBus } from './event-bus.ts';
import { unfinished } from '../suites/unfinished.ts';

const { DATABASE_URL = '', GROUP = '', KIND = '' } = process.env;
const { pool, connect } = journalFixture(DATABASE_URL);
const { bus } = await connect(inProcessEventBus({ clock: systemClock, log: silentLogger }));
const work = unfinished(6, 20);
await bus.subscribe({
  group: GROUP,
  kinds: [KIND],
  home: { schema: 'taker', pool },
  handler: async ({ data }) => {
    process.stdout.write(`${(data as { n: number }).n}\n`);
    await work();
  },
});
process.stdout.write('ready\n');
setInterval(() => undefined, 1_000);
