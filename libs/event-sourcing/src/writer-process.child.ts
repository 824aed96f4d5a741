import { encryptionKeys, systemClock } from '@messaging-gateway/runtime';
import { Pool } from 'pg';
import { counter } from './testing/counter.ts';
import { doorbell } from './doorbell.ts';
import { openEventStore } from './open-event-store.ts';

/** A process of its own that writes without end and prints each mark that was acknowledged. Argument: database. */
const store = openEventStore({
  pool: new Pool({ connectionString: process.argv[2] }),
  schema: 'tried',
  streams: [counter],
  inlineViews: [],
  guards: [],
  clock: systemClock,
  doorbell: doorbell(),
  encryption: encryptionKeys('k'.repeat(32)),
});
const metadata = { organizationId: 'o1', subject: 'organization:o1' };

await Promise.all(
  Array.from({ length: 50 }, async (_, writer) => {
    for (let count = 0; ; count += 1) {
      const mark = `${writer} ${count}`;
      await store.handle(counter, `w${writer % 20}`, { type: 'Mark', mark }, { metadata, once: `once ${mark}` });
      process.stdout.write(`${mark}\n`);
    }
  }),
);
