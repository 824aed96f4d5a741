import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  BroadcastFailed,
  CancelBroadcast,
  DeleteBroadcast,
  GetBroadcast,
  GetBroadcastStats,
  PauseBroadcast,
  ProfileDeleted,
  ProfileHealth,
  ResumeBroadcast,
  ScheduleBroadcast,
  UpdateBroadcast,
} from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import { broadcastsTest, people, type BroadcastsTest } from './broadcasts.fixture.ts';

let test: BroadcastsTest;
beforeAll(async () => void (test = await broadcastsTest()));
afterAll(() => test.stop());
beforeEach(() => test.others.begin());

const statsOf = async (id: string) => (await test.call(GetBroadcastStats, { params: { id } })).body;
const fault = (path: string) => ({
  code: 'VALIDATION_ERROR',
  details: expect.arrayContaining([expect.objectContaining({ path: expect.stringContaining(path) })]),
});

describe('the life of a broadcast', () => {
  it('goes only where it may', async () => {
    const { id } = await test.create();
    const conflict = { code: 'CONFLICT' };
    const params = { id };
    for (const contract of [PauseBroadcast, ResumeBroadcast, CancelBroadcast])
      await expect(test.call(contract, { params })).rejects.toMatchObject(conflict);
    test.others.outcome = () => 'silent';
    await test.start(id);
    await expect(test.start(id)).rejects.toMatchObject(conflict);
    await expect(test.call(DeleteBroadcast, { params })).rejects.toMatchObject(conflict);
    await expect(test.call(UpdateBroadcast, { params, body: { name: 'New' } })).rejects.toMatchObject(conflict);
    expect((await test.call(PauseBroadcast, { params })).body).toMatchObject({
      status: 'paused',
      pausedReason: 'user',
    });
    await expect(test.call(PauseBroadcast, { params })).rejects.toMatchObject(conflict);
    expect((await test.call(ResumeBroadcast, { params })).body).toMatchObject({
      status: 'running',
      pausedReason: null,
    });
    await test.passUntil(() => test.others.accepted.length === 1);
    expect((await test.call(CancelBroadcast, { params })).body).toMatchObject({
      status: 'cancelled',
      stats: { total: 3, pending: 1, cancelled: 2 },
    });
    await test.settle(test.others.accepted[0] as never);
    expect(await statsOf(id)).toMatchObject({ sent: 1, pending: 0, cancelled: 2 });
    expect((await test.recipients(id)).map(({ status }) => status)).toEqual(['sent', 'cancelled', 'cancelled']);
    await test.call(DeleteBroadcast, { params });
    await expect(test.call(GetBroadcast, { params })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('sends nothing while it is paused, and goes on where it was', async () => {
    test.others.outcome = () => 'silent';
    const { id } = await test.create();
    await test.start(id);
    await test.passUntil(() => test.others.accepted.length === 1);
    await test.call(PauseBroadcast, { params: { id } });
    await test.settle(test.others.accepted[0] as never);
    test.service.clock.advance(60_000);
    expect(await statsOf(id)).toMatchObject({ sent: 1, pending: 2, status: 'paused' });
    expect(test.others.accepted).toHaveLength(1);
    test.others.outcome = () => 'sent';
    await test.call(ResumeBroadcast, { params: { id } });
    await test.passUntil(test.isOver(id));
    expect(test.others.accepted).toHaveLength(3);
  });

  it('starts by itself when it was scheduled, not before, keeping its time when it is changed', async () => {
    const { id } = await test.create();
    const scheduledAt = new Date(test.service.clock.now() + 60_000).toISOString();
    const params = { id };
    await expect(
      test.call(ScheduleBroadcast, { params, body: { scheduledAt: '2020-01-01T00:00:00.000Z' } }),
    ).rejects.toMatchObject(fault('scheduledAt'));
    expect((await test.call(ScheduleBroadcast, { params, body: { scheduledAt } })).body).toMatchObject({
      status: 'scheduled',
      scheduledAt,
    });
    expect((await test.call(UpdateBroadcast, { params, body: { name: 'Renamed' } })).body).toMatchObject({
      status: 'scheduled',
      scheduledAt,
      name: 'Renamed',
    });
    let begun = 0;
    test.others.outcome = () => {
      begun ||= test.service.clock.now();
      return 'sent';
    };
    await test.passUntil(test.isOver(id), 1000);
    expect(begun).toBeGreaterThanOrEqual(Date.parse(scheduledAt));
    expect(begun - Date.parse(scheduledAt)).toBeLessThanOrEqual(5000);
  });

  it('fails when its time comes and nobody is there', async () => {
    test.others.audience = [];
    const { id } = await test.create();
    const scheduledAt = new Date(test.service.clock.now() + 5000).toISOString();
    await test.call(ScheduleBroadcast, { params: { id }, body: { scheduledAt } });
    await test.passUntil(test.isOver(id), 1000);
    expect(await test.get(id)).toMatchObject({ status: 'failed', failedReason: 'NO_RECIPIENTS' });
  });

  it('pauses at the daily limit, and goes on by itself when it was raised', async () => {
    test.others.limit = 1;
    test.others.resetAt = new Date(test.service.clock.now() + 3_600_000).toISOString();
    const { id } = await test.create();
    await test.start(id);
    await test.passUntil(async () => (await test.get(id)).status === 'paused');
    expect(await test.get(id)).toMatchObject({
      pausedReason: 'daily_limit',
      resumesAt: test.others.resetAt,
      stats: { sent: 1, pending: 2 },
    });
    test.others.limit = null;
    await test.passUntil(test.isOver(id), 1000);
    expect(await statsOf(id)).toMatchObject({ sent: 3, status: 'completed' });
  });

  it('is held while the account of the profile is restricted, and sends to each recipient once afterwards', async () => {
    const { profileId, caller, service } = test;
    const { organizationId } = caller;
    const since = new Date(service.clock.now()).toISOString();
    const restriction = (ms: number) => ({
      type: 'BIZ_QUALITY',
      since,
      until: new Date(service.clock.now() + ms).toISOString(),
    });
    const held = restriction(3_600_000);
    // The network refuses the second message, and outbound gives it back.
    test.others.outcome = () => {
      if (test.others.accepted.length !== 2) return 'sent';
      test.others.restriction = held;
      return { fail: 'PROFILE_RESTRICTED', attempts: 0 };
    };
    const { id } = await test.create();
    await test.start(id);
    await test.passUntil(async () => (await test.get(id)).pausedReason === 'restricted');
    expect(await test.get(id)).toMatchObject({
      status: 'running',
      resumesAt: held.until,
      stats: { sent: 1, failed: 0, pending: 2 },
    });
    service.clock.advance(1_800_000);
    await test.passUntil(async () => (await test.get(id)).pausedReason === 'restricted');
    expect(test.others.accepted).toHaveLength(2);
    test.others.restriction = undefined;
    await service.emit(ProfileHealth, { id: profileId, restriction: null }, { organizationId, profileId });
    await test.passUntil(test.isOver(id));
    expect(await statsOf(id)).toMatchObject({ sent: 3, failed: 0, status: 'completed' });
    // The message that was given back is sent under another id.
    const receivers = test.others.accepted.map(({ to }) => to);
    expect(new Set(receivers).size).toBe(3);
    expect(receivers.filter((to) => to === receivers[1])).toHaveLength(2);
    expect(receivers).toHaveLength(4);
  });

  it('is held when outbound refuses a message, and continues at the end of the restriction', async () => {
    const until = new Date(test.service.clock.now() + 60_000).toISOString();
    test.others.refusal = () =>
      test.service.clock.now() < Date.parse(until)
        ? new Refused('PROFILE_RESTRICTED', 'Restricted.', { type: 'DEFAULT', until })
        : undefined;
    const { id } = await test.create();
    await test.start(id);
    await test.passUntil(async () => (await test.get(id)).pausedReason === 'restricted');
    expect(await test.get(id)).toMatchObject({ status: 'running', resumesAt: until, stats: { sent: 0, failed: 0 } });
    await test.passUntil(test.isOver(id), 1000);
    expect(await statsOf(id)).toMatchObject({ sent: 3, failed: 0, status: 'completed' });
    expect(test.others.accepted).toHaveLength(3);
  });

  it("keeps a user's pause at the daily limit", async () => {
    test.others.limit = 1;
    test.others.resetAt = new Date(test.service.clock.now() + 10_000).toISOString();
    const { id } = await test.create();
    await test.start(id);
    await test.passUntil(async () => (await test.get(id)).pausedReason === 'daily_limit');
    await test.call(PauseBroadcast, { params: { id } });
    test.others.limit = null;
    test.service.clock.advance(60_000);
    expect(await test.get(id)).toMatchObject({ status: 'paused', pausedReason: 'user', resumesAt: null });
    await test.call(CancelBroadcast, { params: { id } });
  });

  it('goes by the clock of the service, whatever that of the database says', async () => {
    test.others.audience = people(1);
    test.others.outcome = () => (test.others.accepted.length === 1 ? { fail: 'EXPIRED', attempts: 0 } : 'silent');
    const { id } = await test.create({ settings: { delayMin: 1, delayMax: 1 } });
    await test.start(id);
    // Put back, as nothing was handed over, it has its turn again at once, though the clock stands still.
    await test.passUntil(() => test.others.accepted.length === 2, 0);
    await test.settle(test.others.accepted[1] as never);
    await test.passUntil(test.isOver(id));
    expect(await statsOf(id)).toMatchObject({ total: 1, sent: 1 });
  });

  it('waits for its profile, and fails after as long as queued messages wait', async () => {
    test.others.isConnected = false;
    const { id } = await test.create();
    expect(await test.start(id)).toMatchObject({ status: 'running' });
    await test.passUntil(async () => (await test.get(id)).pausedReason === 'not_connected');
    await test.passUntil(test.isOver(id), 3_600_000);
    expect(await test.get(id)).toMatchObject({ status: 'failed', failedReason: 'NOT_CONNECTED' });
    expect(test.others.accepted).toEqual([]);
  });

  it('goes on without a message whose outcome is not known, and completes once it is', async () => {
    test.others.outcome = ({ to }) => (to.startsWith('4915100000000') ? 'silent' : 'sent');
    const { id } = await test.create();
    await test.start(id);
    await test.passUntil(() => test.others.accepted.length === 1);
    await test.status(test.others.accepted[0] as never, 'unknown');
    await test.passUntil(async () => (await test.get(id)).stats.sent === 2, 5000);
    expect(await test.get(id)).toMatchObject({ status: 'running', stats: { sent: 2, pending: 1 } });
    await test.settle(test.others.accepted[0] as never);
    await test.passUntil(test.isOver(id));
    expect(test.others.accepted).toHaveLength(3);
  });

  it('fails when its profile is deleted', async () => {
    test.others.outcome = () => 'silent';
    const { id } = await test.create();
    await test.start(id);
    await test.passUntil(() => test.others.accepted.length === 1);
    const { organizationId } = test.caller;
    await test.service.emit(
      ProfileDeleted,
      { profileId: test.profileId },
      {
        organizationId,
        profileId: test.profileId,
      },
    );
    expect(await test.get(id)).toMatchObject({ status: 'failed', failedReason: 'PROFILE_DELETED' });
    const told = (await test.service.published(BroadcastFailed)).filter(({ data }) => data.id === id);
    expect(told).toHaveLength(1);
  });

  it('goes on after a restart, wherever it was, without a second message', async () => {
    test.others.audience = people(6);
    test.others.outcome = () => 'silent';
    const { id } = await test.create();
    await test.start(id);
    await test.passUntil(() => test.others.accepted.length === 1);
    await test.service.restart();
    await test.settle(test.others.accepted[0] as never);
    test.others.outcome = () => 'sent';
    await test.passUntil(test.isOver(id));
    const ids = test.others.accepted.map(({ messageId }) => messageId);
    expect(new Set(ids).size).toBe(6);
    expect(ids).toHaveLength(6);
  });
});
