import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { outboundTest, type OutboundTest } from '../testing/outbound-test.ts';
import { passUntil } from '../testing/pass-until.ts';

let outbound: OutboundTest;
beforeAll(async () => void (outbound = await outboundTest({ durableSend: true })));
afterAll(() => outbound.stop());

describe('a durable send', () => {
  it('goes out in its turn also when the database breaks off as it is read', async () => {
    const { service, network } = outbound;
    const profile = await outbound.profile();
    network.disconnected.add(profile.profileId);
    for (const text of ['one', 'two', 'three']) await profile.send(text);
    await service.restart();
    await service.sql.transaction(async (sql) => {
      await sql.query('lock table events in access exclusive mode');
      const reconnected = profile.reconnect();
      const cut = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND query ILIKE 'select%events%'`;
      const end = Date.now() + 5000;
      while (Date.now() < end && (await service.sql.query(cut)).length === 0)
        await new Promise((resolve) => setTimeout(resolve, 20));
      reconnected.catch(() => undefined);
    });
    await passUntil(service, () => network.texts.length === 3);
    expect(network.texts).toEqual(['one', 'two', 'three']);
  });
});
