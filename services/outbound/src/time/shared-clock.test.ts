import { describe, expect, it } from '@jest/globals';
import { silentLogger, type Clock } from '@messaging-gateway/runtime';
import type { Sql } from '@messaging-gateway/service';
import { Registry } from 'prom-client';
import { sharedClock } from './clock.ts';

const hour = 3_600_000;
const database = Date.parse('2026-01-01T12:00:00Z');

/** A machine whose clock stands still, so far ahead of the database's. */
async function machine(aheadMs: number) {
  const alarms: number[] = [];
  const clock: Clock = {
    now: () => database + aheadMs,
    at: (time) => {
      alarms.push(time);
      return () => undefined;
    },
    sleep: () => Promise.resolve(),
  };
  const sql = { query: () => Promise.resolve([{ now: database }]) } as unknown as Sql;
  const metrics = new Registry();
  const shared = sharedClock({ clock, log: silentLogger, metrics, sql }, () => clock.now());
  await shared.start();
  const told = await metrics.metrics();
  await shared.stop();
  return { shared, alarms, told };
}

describe('the clock of gates', () => {
  it('is the machine’s own as long as that is near the database’s', async () => {
    for (const ahead of [-5000, 0, 5000]) {
      const { shared, alarms } = await machine(ahead);
      shared.at(database, () => undefined);
      expect([shared.now(), alarms]).toEqual([database + ahead, [database]]);
    }
  });

  it('is the database’s when the machine’s is far from it, which is told', async () => {
    for (const ahead of [24 * hour, -24 * hour, 6000]) {
      const { shared, alarms, told } = await machine(ahead);
      shared.at(database + 1000, () => undefined);
      expect([shared.now(), alarms]).toEqual([database, [database + 1000 + ahead]]);
      expect(told).toContain(`outbound_clock_ahead_seconds ${ahead / 1000}`);
    }
  });
});
