import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  ConnectProfile,
  CreateProfile,
  DeleteProfile,
  DisconnectProfile,
  type Caller,
} from '@messaging-gateway/contracts';
import { until } from './testing/engine-harness.ts';
import { sessionsTest, type SessionsTest } from './testing/sessions-test.ts';

describe('an organization', () => {
  let test: SessionsTest;
  let caller: Caller;
  let other: Caller;
  beforeAll(async () => {
    test = await sessionsTest(undefined, { profileQuota: 4, unscannedQuota: 2, profilesPerProcess: 3 });
    [caller, other] = await Promise.all([test.organization(), test.organization()]);
  });
  afterAll(() => test.stop());

  const connect = (id: string, by = caller) => test.service.call(ConnectProfile, { caller: by, params: { id } });
  const codes = (outcomes: readonly PromiseSettledResult<unknown>[]): string[] =>
    outcomes.map((one) => (one.status === 'rejected' ? (one.reason as { code: string }).code : 'done')).toSorted();

  it('has as many profiles as it may, also when they are made at the same moment, and makes table by deleting', async () => {
    const made = await Promise.allSettled(Array.from({ length: 9 }, () => test.create(caller)));
    expect(codes(made)).toEqual(
      [...Array<string>(5).fill('QUOTA_REACHED'), ...Array<string>(4).fill('done')].toSorted(),
    );
    await expect(test.create(caller)).rejects.toMatchObject({
      code: 'QUOTA_REACHED',
      details: { quota: 'profiles', limit: 4 },
    });
    const first = made.find((one) => one.status === 'fulfilled');
    await test.service.call(DeleteProfile, { caller, params: { id: first?.value.id ?? '' } });
    expect(await test.service.call(CreateProfile, { caller, body: { name: 'Sales' } })).toMatchObject({ status: 201 });
    await test.create(other);
  });

  it('has no more when another replica makes one at the same moment', async () => {
    const fourth = await test.organization();
    for (let n = 0; n < 3; n += 1) await test.create(fourth);
    let made: Promise<unknown> | undefined;
    await test.service.sql.transaction(async (sql) => {
      const { organizationId } = fourth;
      await sql.query(
        'INSERT INTO quotas VALUES ($1) ON CONFLICT (organization_id) DO UPDATE SET organization_id = $1',
        [organizationId],
      );
      await sql.query(
        `INSERT INTO profiles (id, organization_id, account_id, workspace_id, name, status, is_wanted, since, created_at, updated_at)
         SELECT gen_random_uuid(), organization_id, account_id, workspace_id, name, status, is_wanted, since, created_at, updated_at
           FROM profiles WHERE organization_id = $1 LIMIT 1`,
        [organizationId],
      );
      made = test.create(fourth);
      made.catch(() => undefined);
      // It waits for the row of its organization.
      await until(async () => {
        const waiting = await test.service.sql.query(
          `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query like '%quota_rows%'`,
        );
        return waiting.length > 0;
      });
    });
    await expect(made).rejects.toMatchObject({ code: 'QUOTA_REACHED' });
  });

  it('that nobody scans for keeps no other one from connecting', async () => {
    const own = await test.service.sql.query<{ id: string }>(
      'SELECT id FROM profiles WHERE organization_id = $1 ORDER BY id',
      [caller.organizationId],
    );
    const outcomes = await Promise.allSettled(own.map(({ id }) => connect(id)));
    expect(codes(outcomes)).toEqual(['QUOTA_REACHED', 'QUOTA_REACHED', 'done', 'done']);
    const foreign = await test.linked(other, '4915120000121');
    expect(await test.statusOf(other, foreign.id)).toMatchObject({ status: 'connected' });
    // Again is no more than before.
    const going = own.filter((_, index) => outcomes[index]?.status === 'fulfilled');
    for (const { id } of going) expect(await connect(id)).toMatchObject({ status: 202 });
  });

  it('gives way with what nobody scans to what is linked', async () => {
    const [linked] = await test.service.sql.query<{ id: string }>(
      'SELECT id FROM profiles WHERE phone_number IS NOT NULL',
    );
    const id = linked?.id ?? '';
    await test.service.call(DisconnectProfile, { caller: other, params: { id } });
    const third = await test.organization();
    const waiting = await test.create(third);
    await connect(waiting.id, third);
    await test.qrOf(third, waiting);
    await connect(id, other);
    await test.reaches(other, id, 'connected');
    // Of those who have most of them.
    const unscanned = await test.service.sql.query(
      `SELECT organization_id, status_reason FROM profiles WHERE phone_number IS NULL AND (is_wanted OR status_reason IS NOT NULL) ORDER BY 2`,
    );
    expect(unscanned).toEqual([
      { organization_id: caller.organizationId, status_reason: 'NO_ROOM' },
      { organization_id: expect.any(String), status_reason: null },
      { organization_id: expect.any(String), status_reason: null },
    ]);
    expect(await test.statusOf(third, waiting.id)).toMatchObject({ status: 'awaiting_scan' });
  });
});
