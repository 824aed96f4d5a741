import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'pg';
import { connected, participant } from './opened.fixture.ts';

const pool = new Pool({ connectionString: process.env['DATABASE_URL'] });
const { commands } = await connected(participant(process.env['AMQP_URL'] ?? ''));
await commands.handle(
  'outbound',
  'Slow',
  async ({ data }) => {
    process.stdout.write(`${(data as { id: string }).id}\n`);
    await delay(30);
  },
  { delaysMs: [], home: { pool, schema: 'outbound' } },
);
process.stdout.write('ready\n');
