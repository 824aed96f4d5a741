import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ReadSendingStates } from '@messaging-gateway/contracts';
import { rebuildViews } from '@messaging-gateway/event-sourcing';
import { encryptionKeys, silentLogger } from '@messaging-gateway/runtime';
import { openDatabase } from '@messaging-gateway/service';
import * as fc from 'fast-check';
import { outbound as module } from '../index.ts';
import type { MessageEvent } from '../message/message.ts';
import { eventually } from '../testing/eventually.ts';
import type { Behaviour } from '../testing/fake-sessions.ts';
import { outboundTest, type OutboundTest } from '../testing/outbound-test.ts';
import { passUntil } from '../testing/pass-until.ts';
import { dayOf, nextReset } from '../time/clock.ts';
import type { GateCount } from './lane-records.ts';
import { applyChange, emptyCount, gateChangeOf, rollTo } from './send-gate.ts';

let outbound: OutboundTest;
beforeAll(async () => {
  outbound = await outboundTest({ durableSend: true });
});
afterAll(() => outbound.stop());

type Move = { do: 'send'; count: number } | { do: 'wait'; ms: number } | { do: 'midnight' };
const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('send' as const), count: fc.integer({ min: 1, max: 12 }) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.nat(6000) }) },
  { weight: 1, arbitrary: fc.constant({ do: 'midnight' as const }) },
);
const behaviour: fc.Arbitrary<Behaviour> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Behaviour>('acknowledge') },
  { weight: 2, arbitrary: fc.constant<Behaviour>({ refuse: 'ENGINE_REFUSED' }) },
  { weight: 1, arbitrary: fc.constant<Behaviour>('lose') },
);

/** The count as the journal tells it. */
async function foldOf(profileId: string): Promise<{ count: GateCount; events: MessageEvent[] }> {
  const rows = await outbound.service.sql.query<{ type: string; data: object }>(
    `SELECT type, data FROM events WHERE metadata->>'profileId' = $1 AND stream LIKE 'message-%' ORDER BY transaction_id, position`,
    [profileId],
  );
  const events = rows as unknown as MessageEvent[];
  const changes = events.map(gateChangeOf).filter((change) => change !== undefined);
  return { count: changes.reduce(applyChange, emptyCount('1970-01-01')), events };
}

async function laneOf(profileId: string) {
  const [row] = await outbound.service.sql.query<{ day: string; reserved: number; uncertain: number; sent: number }>(
    `SELECT to_char(day, 'YYYY-MM-DD') AS day, reserved, uncertain, sent FROM lanes WHERE profile_id = $1`,
    [profileId],
  );
  return row;
}

describe('the gate on a real database', () => {
  it('counts exactly and lets no more through than the limit, under concurrent sends, failures and midnights', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(move, { minLength: 3, maxLength: 12 }),
        fc.array(behaviour, { maxLength: 20 }),
        fc.nat(8),
        async (moves, script, limit) => {
          const { profileId, send, caller } = await outbound.profile({ dailyMessageLimit: limit });
          outbound.network.script.splice(0, Infinity, ...script);
          const { clock } = outbound.service;
          for (const next of moves) {
            if (next.do === 'wait') clock.advance(next.ms);
            if (next.do === 'midnight') clock.advance(nextReset(clock.now()) - clock.now());
            if (next.do === 'send') await Promise.allSettled(Array.from({ length: next.count }, () => send('x')));
          }
          outbound.network.script.splice(0);
          await eventually(async () => {
            clock.advance(5000);
            return (
              (await outbound.service.sql.query('SELECT 1 FROM queue WHERE profile_id = $1', [profileId])).length === 0
            );
          });
          const { count, events } = await foldOf(profileId);
          const { day, reserved, uncertain, sent } = count;
          expect((await laneOf(profileId)) ?? { day: '1970-01-01', reserved: 0, uncertain: 0, sent: 0 }).toEqual({
            day,
            reserved,
            uncertain,
            sent,
          });
          expect({ reserved, uncertain }).toEqual({ reserved: 0, uncertain: 0 });
          const perDay = Map.groupBy(
            events.filter(({ type }) => type === 'MessageSent'),
            ({ data }) => (data as { place: { day: string } }).place.day,
          );
          for (const [, some] of perDay) expect(some.length).toBeLessThanOrEqual(limit);
          const [state] = (
            await outbound.service.ask(ReadSendingStates, {
              organizationId: caller.organizationId,
              profileIds: [profileId],
            })
          ).items;
          expect(state?.dailyMessageCount).toBe(rollTo(count, dayOf(clock.now())).sent);
        },
      ),
      { numRuns: 12 },
    );
  }, 600_000);

  it('is rebuilt from the journal as it was', async () => {
    const { profileId, send } = await outbound.profile({ dailyMessageLimit: 5 });
    outbound.network.disconnected.add(profileId);
    for (let index = 0; index < 3; index += 1) await send(`number ${index}`);
    const tables = ['lanes', 'policies', 'network_ids', 'queue'];
    const contents = async () => {
      const all: Record<string, unknown> = {};
      for (const table of tables) {
        const rows = await outbound.service.sql.query(`SELECT * FROM ${table} ORDER BY 1, 2, 3`);
        all[table] = rows.map((row) => ({ ...row, place: undefined }));
      }
      return all;
    };
    const before = await contents();
    const [{ name } = { name: '' }] = await outbound.service.sql.query<{ name: string }>(
      'SELECT current_database() AS name',
    );
    const url = new URL(process.env['TEST_POSTGRES_URL'] ?? '');
    url.pathname = `/${name}`;
    const {
      storage: { schema, streams, inlineViews },
      migrations,
    } = module;
    const database = await openDatabase({ url: url.href, schema, migrations, log: silentLogger });
    const encryption = encryptionKeys('a test key with 32 characters...');
    await rebuildViews({
      pool: database.pool,
      schema,
      streams,
      inlineViews,
      encryption,
      clock: outbound.service.clock,
    });
    await database.close();
    expect(await contents()).toEqual(before);
    const order = await outbound.service.sql.query<{ message_id: string }>(
      'SELECT message_id FROM queue WHERE profile_id = $1 ORDER BY place',
      [profileId],
    );
    expect(order).toHaveLength(3);
    expect((await send('after')).status).toBe(202);
    expect(await laneOf(profileId)).toMatchObject({ reserved: 4 });
  });

  it('opens after its delay, and keeps to the limit, when a clock that was a day ahead has counted', async () => {
    const profile = await outbound.profile({ dailyMessageLimit: 3, messageDelayMs: 1500 });
    const { service, network } = outbound;
    const tomorrow = service.clock.now() + 86_400_000;
    await service.sql.query('UPDATE lanes SET handed_over_at = $2, day = $3, sent = 1 WHERE profile_id = $1', [
      profile.profileId,
      new Date(tomorrow),
      dayOf(tomorrow),
    ]);
    await service.restart();
    const sent = () => network.handed.filter(({ profileId }) => profileId === profile.profileId).length;
    for (const count of [1, 2]) {
      expect(await profile.send('Hello')).toMatchObject({ status: 202 });
      await passUntil(service, () => sent() === count, 250);
    }
    expect(service.clock.now()).toBeLessThan(tomorrow - 3_600_000);
    await expect(profile.send('One too many')).rejects.toMatchObject({ code: 'DAILY_LIMIT_REACHED' });
    expect(await laneOf(profile.profileId)).toMatchObject({ day: dayOf(service.clock.now()), sent: 3 });
  });
});
