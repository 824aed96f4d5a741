import { setTimeout as delay } from 'node:timers/promises';
import { connected, participant } from './opened.fixture.ts';

const { operations } = await connected(participant(process.env['AMQP_URL'] ?? ''));
for (const route of [undefined, 'child'])
  await operations.serve(
    'Slow',
    async ({ resourceId }) => {
      process.stdout.write(`${resourceId}\n`);
      await delay(3_600_000);
      return { status: 200 };
    },
    route,
  );
process.stdout.write('ready\n');
