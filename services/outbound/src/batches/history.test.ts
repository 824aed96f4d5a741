import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  CancelScheduledMessage,
  GetBatch,
  ListBatches,
  ListScheduledMessages,
  ScheduleMessage,
  SendBulk,
} from '@messaging-gateway/contracts';
import { laterTest, textTo, type LaterTest } from '../testing/later-test.ts';
import { recipient, type TestProfile } from '../testing/outbound-test.ts';

const hour = 3_600_000;
const day = 24 * hour;
let test: LaterTest;
beforeAll(async () => void (test = await laterTest({ sendHistoryRetentionDays: 40, queuedMessageTtlHours: 10_000 })));
afterAll(() => test.stop());

interface Shown {
  readonly id: string;
  readonly status: string;
}

async function schedule(profile: TestProfile, text: string, after: number): Promise<string> {
  const scheduledAt = new Date(test.service.clock.now() + after).toISOString();
  const body = { profileId: profile.profileId, ...textTo(text), scheduledAt };
  return ((await test.ask(profile, ScheduleMessage, { body })).body as Shown).id;
}
async function schedules(profile: TestProfile): Promise<Record<string, string>> {
  const { body } = await test.ask(profile, ListScheduledMessages, { params: { id: profile.profileId } });
  const { items } = body as { items: readonly Shown[] };
  return Object.fromEntries(items.map(({ id, status }) => [id, status]));
}
async function send(profile: TestProfile, ...texts: string[]): Promise<string> {
  const messages = texts.map((text) => ({ chatId: recipient, type: 'text', content: { text } }));
  const body = { profileId: profile.profileId, messages, options: { delayBetweenMessages: 0 } };
  return ((await test.ask(profile, SendBulk, { body })).body as { batchId: string }).batchId;
}
async function batches(profile: TestProfile): Promise<Record<string, string>> {
  const { body } = await test.ask(profile, ListBatches);
  const { items } = body as { items: readonly { batchId: string; status: string }[] };
  return Object.fromEntries(items.map(({ batchId, status }) => [batchId, status]));
}
/** Ids of what the journal and the tables hold. */
async function kept(kind: 'schedule' | 'batch'): Promise<string[]> {
  const rows = await test.service.sql.query<{ stream: string }>(
    'SELECT DISTINCT stream FROM events WHERE starts_with(stream, $1)',
    [`${kind}-`],
  );
  return rows.map(({ stream }) => stream.slice(kind.length + 1)).toSorted();
}
const items = async (): Promise<string[]> => {
  const rows = await test.service.sql.query<{ id: string }>('SELECT DISTINCT batch_id AS id FROM batch_items');
  return rows.map(({ id }) => id).toSorted();
};
const numbers = ['one', 'two', 'three', 'four', 'five', 'six', 'seven'];
const until = (holds: () => Promise<boolean>, stepMs: number): Promise<void> => test.passUntil(holds, stepMs);

describe('a message sent later', () => {
  it('is kept for SEND_HISTORY_RETENTION_DAYS once it is settled, and what is not settled for ever', async () => {
    const [profile, away] = [await test.profile(), await test.profile()];
    test.network.disconnected.add(away.profileId);
    const far = await schedule(profile, 'far', 120 * day);
    const sent = await schedule(profile, 'sent', 1000);
    const cancelled = await schedule(profile, 'cancelled', 100 * day);
    await test.ask(profile, CancelScheduledMessage, { params: { id: cancelled } });
    // More than go in one transaction.
    const done: string[] = [];
    for (const text of numbers) done.push(await send(profile, text, `${text} again`));
    const waiting = await send(away, 'eight', 'nine');
    await until(async () => (await schedules(profile))[sent] === 'sent', 250);
    await until(async () => Object.values(await batches(profile)).every((status) => status === 'completed'), 250);
    // As a replica of before the column has written it.
    await test.service.sql.query('UPDATE schedules SET settled_at = NULL WHERE schedule_id = $1', [sent]);
    // Settled a month later than the others.
    const failed = await schedule(away, 'failed', 30 * day);
    await until(async () => (await schedules(away))[failed] === 'failed', 6 * hour);

    expect(await schedules(profile)).toEqual({ [far]: 'pending', [sent]: 'sent', [cancelled]: 'cancelled' });
    expect(await batches(profile)).toEqual(Object.fromEntries(done.map((id) => [id, 'completed'])));
    await until(
      async () => Object.keys({ ...(await schedules(profile)), ...(await batches(profile)) }).length === 1,
      6 * hour,
    );
    expect(await schedules(profile)).toEqual({ [far]: 'pending' });
    expect(await schedules(away)).toEqual({ [failed]: 'failed' });
    await expect(test.ask(profile, GetBatch, { params: { batchId: done[0] } })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await expect(test.ask(profile, CancelScheduledMessage, { params: { id: sent } })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    expect(await kept('schedule')).toEqual([far, failed].toSorted());
    expect([await kept('batch'), await items()]).toEqual([[waiting], [waiting]]);

    await test.service.rebuildViews();
    expect(await schedules(profile)).toEqual({ [far]: 'pending' });
    expect(await batches(profile)).toEqual({});
    await until(async () => (await kept('schedule')).length === 1, 6 * hour);
    expect(await schedules(away)).toEqual({});

    await away.reconnect();
    await until(async () => (await batches(away))[waiting] === 'completed', 250);
    await until(async () => (await schedules(profile))[far] === 'sent', 6 * hour);
    expect(test.textsOf(profile).toSorted()).toEqual(
      ['sent', 'far', ...numbers.flatMap((text) => [text, `${text} again`])].toSorted(),
    );
    await until(async () => (await kept('schedule')).length + (await kept('batch')).length === 0, 6 * hour);
    expect(await items()).toEqual([]);
  });

  it('is left out of a list when it goes while that is made', async () => {
    const profile = await test.profile();
    const [gone, other] = [await schedule(profile, 'gone', 1000), await schedule(profile, 'other', 2000)];
    await until(async () => Object.values(await schedules(profile)).every((status) => status === 'sent'), 250);
    // The list has read the row before, and reads the stream after.
    await test.service.sql.query('DELETE FROM events WHERE stream = $1', [`schedule-${gone}`]);
    await test.service.restart();
    expect(await schedules(profile)).toEqual({ [other]: 'sent' });
  });
});
