import { Pool } from 'pg';
import { connected, participant } from './opened.fixture.ts';
import { unfinished } from '../suites/unfinished.ts';

const pool = new Pool({ connectionString: process.env['DATABASE_URL'] });
const { commands } = await connected(participant(process.env['AMQP_URL'] ?? ''));
const work = unfinished(5, 30);
await commands.handle(
  'outbound',
  'Slow',
  async ({ data }) => {
    process.stdout.write(`${(data as { id: string }).id}\n`);
    await work();
  },
  { delaysMs: [], home: { pool, schema: 'outbound' } },
);
process.stdout.write('ready\n');
