import { describe, expect, it } from '@jest/globals';
import { Started } from './started.ts';

describe('npm run start:distributed without its servers', () => {
  it('names what is missing, and what to run instead', async () => {
    const started = new Started({ AMQP_URL: 'amqp://localhost', ENCRYPTION_KEY: 'short' });
    expect(await started.ended).toBe(1);
    for (const variable of ['KAFKA_BROKERS', 'DATABASE_URL', 'CACHE_URL', 'JWT_SECRET', 'ENCRYPTION_KEY'])
      expect(started.output).toContain(variable);
    expect(started.output).toContain('npm start');
    const wrong = new Started({}, '--replicas', 'many');
    expect(await wrong.ended).toBe(1);
    expect(wrong.output).toContain('--replicas');
  }, 600_000);
});
