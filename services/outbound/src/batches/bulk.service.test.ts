import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BulkCompleted, CancelBatch, GetBatch, ListBatches, SendBulk } from '@messaging-gateway/contracts';
import { testCaller } from '@messaging-gateway/service/testing';
import { v7 } from 'uuid';
import { timelessItemId } from './item-id.ts';
import { laterTest, type LaterTest } from '../testing/later-test.ts';
import { eventually } from '../testing/eventually.ts';
import { recipient, type TestProfile } from '../testing/outbound-test.ts';

let test: LaterTest;
beforeAll(async () => void (test = await laterTest()));
afterAll(() => test.stop());

interface Shown {
  readonly batchId: string;
  readonly status: string;
  readonly reason: string | null;
  readonly progress: Record<'total' | 'sent' | 'failed' | 'pending' | 'cancelled', number>;
  readonly results: readonly { index: number; status: string; chatId: string; messageId?: string; error?: object }[];
}

const message = (text: string, variables?: Record<string, string>) => ({
  chatId: recipient,
  type: 'text',
  content: { text },
  ...(variables !== undefined && { variables }),
});
const numbered = (count: number) => Array.from({ length: count }, (_, index) => message(`number ${index}`));
async function send(profile: TestProfile, messages: object[], options: object = {}, call: object = {}) {
  const body = { profileId: profile.profileId, messages, options: { delayBetweenMessages: 0, ...options } };
  const reply = await test.ask(profile, SendBulk, { body, ...call });
  expect(reply.status).toBe(202);
  return reply.body as { batchId: string; status: string; totalMessages: number; estimatedCompletionTime: string };
}
const get = async (profile: TestProfile, batchId: string): Promise<Shown> =>
  (await test.ask(profile, GetBatch, { params: { batchId } })).body as Shown;
const cancel = async (profile: TestProfile, batchId: string): Promise<Shown> =>
  (await test.ask(profile, CancelBatch, { params: { batchId } })).body as Shown;
const hasEnded = (profile: TestProfile, batchId: string) => async (): Promise<boolean> => {
  const { status, progress } = await get(profile, batchId);
  return !['queued', 'processing'].includes(status) && progress.pending === 0;
};
const told = async (batchId: string): Promise<unknown[]> =>
  (await test.service.published(BulkCompleted)).filter(({ data }) => data.id === batchId).map(({ data }) => data);

describe('a batch', () => {
  it('is sent in order, with its variables, and told when it is complete', async () => {
    const profile = await test.profile();
    const messages = [
      message('Hello {name}', { name: 'Ada' }),
      message('Hello {name}', { name: 'Bob' }),
      message('{x}', { x: '{x}' }),
    ];
    const made = await send(profile, messages);
    expect(made).toMatchObject({ totalMessages: 3 });
    await test.passUntil(hasEnded(profile, made.batchId));
    expect(test.textsOf(profile)).toEqual(['Hello Ada', 'Hello Bob', '{x}']);
    const batch = await get(profile, made.batchId);
    expect(batch).toMatchObject({
      status: 'completed',
      reason: null,
      progress: { total: 3, sent: 3, failed: 0, pending: 0, cancelled: 0 },
    });
    expect(batch.results.map(({ index, status, chatId }) => [index, status, chatId])).toEqual(
      [0, 1, 2].map((index) => [index, 'sent', `${recipient}@c.us`]),
    );
    const ids = batch.results.map(({ messageId }) => String(messageId));
    expect([...new Set(ids)].toSorted()).toEqual(ids);
    expect(ids.map((id) => id.charAt(14))).toEqual(['7', '7', '7']);
    expect(await told(made.batchId)).toEqual([{ id: made.batchId, total: 3, sent: 3, failed: 0 }]);
  });

  it('keeps its delay on top of the gate, and lets direct sends in between', async () => {
    const profile = await test.profile();
    const { batchId } = await send(profile, numbered(3), { delayBetweenMessages: 60_000 });
    await test.passUntil(() => test.textsOf(profile).length === 1);
    expect(await get(profile, batchId)).toMatchObject({ status: 'processing' });
    expect(await profile.send('direct')).toMatchObject({ status: 200 });
    await test.passUntil(hasEnded(profile, batchId), 3000);
    expect(test.textsOf(profile)).toEqual(['number 0', 'direct', 'number 1', 'number 2']);
    const times = test.network.times.filter((_, index) => {
      const handed = test.network.handed[index];
      return handed?.profileId === profile.profileId && JSON.stringify(handed.content).includes('number');
    });
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(60_000);
    expect((times[2] ?? 0) - (times[1] ?? 0)).toBeGreaterThanOrEqual(60_000);
  });

  it('goes on after a message that failed, unless it is to stop', async () => {
    const profile = await test.profile();
    const fail = () => test.network.script.push(...Array.from({ length: 3 }, () => ({ refuse: 'RECIPIENT_UNKNOWN' })));
    fail();
    const goesOn = await send(profile, numbered(2));
    await test.passUntil(hasEnded(profile, goesOn.batchId));
    expect(await get(profile, goesOn.batchId)).toMatchObject({
      status: 'completed',
      progress: { sent: 1, failed: 1 },
      results: [{ status: 'failed', error: { code: 'RECIPIENT_UNKNOWN' } }, { status: 'sent' }],
    });
    fail();
    const stops = await send(profile, numbered(3), { stopOnError: true });
    await test.passUntil(hasEnded(profile, stops.batchId));
    expect(await get(profile, stops.batchId)).toMatchObject({
      status: 'failed',
      reason: 'RECIPIENT_UNKNOWN',
      progress: { sent: 0, failed: 1, cancelled: 2 },
    });
    expect(await told(stops.batchId)).toEqual([{ id: stops.batchId, total: 3, sent: 0, failed: 1 }]);
  });

  it('ends at the daily limit: the rest is cancelled', async () => {
    const profile = await test.profile({ dailyMessageLimit: 2 });
    const { batchId } = await send(profile, numbered(4));
    await test.passUntil(hasEnded(profile, batchId));
    expect(await get(profile, batchId)).toMatchObject({
      status: 'failed',
      reason: 'DAILY_LIMIT_REACHED',
      progress: { total: 4, sent: 2, failed: 0, pending: 0, cancelled: 2 },
    });
    expect(test.textsOf(profile)).toEqual(['number 0', 'number 1']);
  });

  it('stays cancelled', async () => {
    const profile = await test.profile();
    const { batchId } = await send(profile, numbered(5), { delayBetweenMessages: 60_000 });
    await test.passUntil(() => test.textsOf(profile).length === 2, 3000);
    await eventually(async () => (await get(profile, batchId)).progress.sent === 2);
    expect(await cancel(profile, batchId)).toMatchObject({
      status: 'cancelled',
      progress: { sent: 2, cancelled: 3, pending: 0 },
    });
    await expect(cancel(profile, batchId)).rejects.toMatchObject({ code: 'CONFLICT' });
    test.service.clock.advance(120_000);
    await profile.send('direct');
    expect(test.textsOf(profile)).toEqual(['number 0', 'number 1', 'direct']);
    expect(await get(profile, batchId)).toMatchObject({ status: 'cancelled' });
  });

  it('waits for its profile to be connected', async () => {
    const profile = await test.profile();
    test.network.disconnected.add(profile.profileId);
    const { batchId } = await send(profile, numbered(2));
    await test.passUntil(async () => {
      const rows = await test.service.sql.query(
        'SELECT 1 FROM batches WHERE batch_id = $1 AND waiting_since IS NOT NULL',
        [batchId],
      );
      return rows.length === 1;
    });
    expect(await get(profile, batchId)).toMatchObject({ status: 'queued', progress: { pending: 2 } });
    await profile.reconnect();
    await test.passUntil(hasEnded(profile, batchId));
    expect(test.textsOf(profile)).toEqual(['number 0', 'number 1']);
  });

  it('goes on after a message of which nobody will ever know whether it was sent', async () => {
    const short = await laterTest({ queuedMessageTtlHours: 0.01 });
    try {
      const profile = await short.profile();
      const ask = async (contract: typeof GetBatch | typeof SendBulk, options: object) =>
        (await short.ask(profile, contract, options)).body as Shown;
      short.network.script.push('disconnect');
      const body = { profileId: profile.profileId, messages: numbered(2), options: { delayBetweenMessages: 0 } };
      const { batchId } = await ask(SendBulk, { body });
      const waiting = async () =>
        (await short.service.sql.query('SELECT 1 FROM queue WHERE profile_id = $1', [profile.profileId])).length;
      await short.passUntil(async () => (await waiting()) === 1);
      await short.passUntil(async () => (await waiting()) === 0, 3000);
      await profile.reconnect();
      const end = short.service.clock.now() + 300_000;
      const isOver = async () =>
        (await ask(GetBatch, { params: { batchId } })).status === 'completed' || short.service.clock.now() > end;
      // In small steps: the second one must not be over, too, before the lane has heard that the profile is back.
      await short.passUntil(isOver);
      expect(await ask(GetBatch, { params: { batchId } })).toMatchObject({
        status: 'completed',
        progress: { sent: 1, failed: 1, pending: 0 },
        results: [{ status: 'failed', error: { code: 'ENGINE_TIMEOUT' } }, { status: 'sent' }],
      });
    } finally {
      await short.stop();
    }
  });

  it('is made once under one Idempotency-Key', async () => {
    const profile = await test.profile();
    const resourceId = v7();
    const first = await send(profile, numbered(2), {}, { resourceId });
    const again = await send(profile, numbered(2), {}, { resourceId, repeated: true });
    expect(again).toMatchObject({ batchId: first.batchId });
    await test.passUntil(hasEnded(profile, first.batchId));
    expect(test.textsOf(profile)).toHaveLength(2);
  });

  it('is gone on with where a replica of an earlier version has sent a message under an id of its own', async () => {
    const profile = await test.profile();
    const { batchId } = await send(profile, numbered(3), { delayBetweenMessages: 60_000 });
    await test.passUntil(() => test.textsOf(profile).length === 1);
    const earlier = timelessItemId(batchId, 1);
    await profile.send('number 1', { resourceId: earlier });
    await test.passUntil(hasEnded(profile, batchId), 3000);
    expect(test.textsOf(profile)).toEqual(['number 0', 'number 1', 'number 2']);
    const { progress, results } = await get(profile, batchId);
    expect(progress).toMatchObject({ sent: 3 });
    expect(results[1]).toMatchObject({ messageId: earlier });
  });

  it('is seen by nobody else, and not through a key of other profiles', async () => {
    const profile = await test.profile();
    const { batchId } = await send(profile, numbered(1));
    const stranger = { ...profile, caller: testCaller() };
    const keyOfOther = { ...profile, caller: { ...profile.caller, profileIds: [v7()] } };
    for (const one of [get, cancel]) {
      await expect(one(stranger, batchId)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(one(keyOfOther, batchId)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    }
    await expect(send(stranger, numbered(1))).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(send(keyOfOther, numbered(1))).rejects.toMatchObject({ code: 'FORBIDDEN' });
    for (const caller of [stranger, keyOfOther])
      expect((await test.ask(caller, ListBatches)).body).toEqual({ items: [], nextCursor: null, total: 0 });
  });

  it('stands in the list of the organization, the newest first, in pages', async () => {
    const caller = testCaller();
    const [one, other] = [await test.profile({ caller }), await test.profile({ caller })];
    const made: string[] = [];
    for (const profile of [one, other, one]) {
      made.unshift((await send(profile, numbered(1))).batchId);
      test.service.clock.advance(10);
    }
    const page = async (query: object) => (await test.ask(one, ListBatches, { query })).body as never;
    const first: { items: Shown[]; nextCursor: string; total: number } = await page({ limit: 2 });
    const rest: { items: Shown[]; nextCursor: null } = await page({ limit: 2, cursor: first.nextCursor });
    expect([...first.items, ...rest.items].map(({ batchId }) => batchId)).toEqual(made);
    expect(first.total).toBe(3);
    expect(rest.nextCursor).toBeNull();
    expect(await page({ profileId: other.profileId })).toMatchObject({ items: [{ batchId: made[1] }], total: 1 });
  });
});
