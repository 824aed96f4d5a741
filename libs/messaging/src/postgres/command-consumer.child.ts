import { silentLogger, systemClock } from '@messaging-gateway/runtime';
import { Pool } from 'pg';
import { postgresCommandQueue } from './command-queue.ts';
import { unfinished } from '../suites/unfinished.ts';

const pool = new Pool({ connectionString: process.env['DATABASE_URL'] });
const queue = postgresCommandQueue({ pool, schema: 'bus', clock: systemClock, log: silentLogger });
const work = unfinished(5, 30);
await queue.handle(
  'outbound',
  'Slow',
  async ({ data }) => {
    process.stdout.write(`${(data as { id: string }).id}\n`);
    await work();
  },
  { delaysMs: [] },
);
process.stdout.write('ready\n');
setInterval(() => undefined, 1_000);
