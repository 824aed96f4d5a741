import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  BroadcastCompleted,
  BroadcastStarted,
  ContactUpdated,
  CreateBroadcast,
  ExportBroadcastRecipients,
  GetBroadcast,
  GetBroadcastStats,
  ListBroadcasts,
  MessageReceived,
  StartBroadcast,
  type DataOf,
} from '@messaging-gateway/contracts';
import { testCaller } from '@messaging-gateway/service/testing';
import { v7 } from 'uuid';
import { broadcastsTest, people, person, type BroadcastsTest } from './broadcasts.fixture.ts';

let test: BroadcastsTest;
beforeAll(async () => void (test = await broadcastsTest()));
afterAll(() => test.stop());
beforeEach(() => test.others.begin());

const statsOf = async (id: string) => (await test.call(GetBroadcastStats, { params: { id } })).body;
const fault = (path: string) => ({
  code: 'VALIDATION_ERROR',
  details: expect.arrayContaining([expect.objectContaining({ path: expect.stringContaining(path) })]),
});

describe('a broadcast', () => {
  it('is a draft with its defaults, and sends nothing', async () => {
    const made = await test.create({ settings: undefined });
    expect(made).toMatchObject({
      status: 'draft',
      settings: { delayMin: 3000, delayMax: 10_000, batchSize: 50, retryFailed: true, retryAttempts: 3 },
      quietHours: null,
      pausedReason: null,
      startedAt: null,
      stats: { total: 0, pending: 0, status: 'draft' },
    });
    expect(test.others.accepted).toEqual([]);
  });

  it('sends to each person once, with their placeholders, in order, and completes', async () => {
    test.others.audience = [person(1), person(2, { name: null, pushName: 'Bo' }), person(3, { name: null })];
    const { id } = await test.create({ message: { type: 'text', text: 'Hi {{name|friend}}: {{link}}', link: 'x.y' } });
    expect(await test.start(id)).toMatchObject({ status: 'running', stats: { total: 3 } });
    await test.passUntil(test.isOver(id));
    expect(test.others.texts).toEqual(['Hi Person 1: x.y', 'Hi Bo: x.y', 'Hi friend: x.y']);
    expect(await test.get(id)).toMatchObject({
      status: 'completed',
      completedAt: expect.any(String),
      stats: { total: 3, sent: 3, failed: 0, pending: 0, skipped: 0, cancelled: 0, status: 'completed' },
    });
    expect(await test.recipients(id)).toMatchObject(
      [1, 2, 3].map(() => ({ status: 'sent', attempts: 1, error: null, messageId: expect.any(String) })),
    );
    const told = async (contract: typeof BroadcastStarted) =>
      (await test.service.published(contract)).filter(({ data }) => data.id === id).map(({ data }) => data);
    expect(await told(BroadcastStarted)).toEqual([{ id, total: 3, sent: 0, failed: 0 }]);
    expect(await told(BroadcastCompleted)).toEqual([{ id, total: 3, sent: 3, failed: 0 }]);
  });

  it('has one message in the lane at a time', async () => {
    test.others.outcome = () => 'silent';
    const { id } = await test.create();
    await test.start(id);
    await test.passUntil(() => test.others.accepted.length === 1);
    await test.passUntil(() => test.others.asked.length > 2, 1000);
    expect(test.others.accepted).toHaveLength(1);
    expect(new Set(test.others.asked).size).toBe(1);
    test.others.outcome = () => 'sent';
    await test.settle(test.others.accepted[0] as never);
    await test.passUntil(test.isOver(id));
    expect(test.others.accepted).toHaveLength(3);
  });

  it('waits between messages as long as it was told', async () => {
    const { id } = await test.create({ settings: { delayMin: 5000, delayMax: 5000 } });
    const times: number[] = [];
    test.others.outcome = () => {
      times.push(test.service.clock.now());
      return 'sent';
    };
    await test.start(id);
    await test.passUntil(test.isOver(id));
    expect(times).toHaveLength(3);
    const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(5000);
  });

  it('counts failures and receipts exactly, told twice and in any order', async () => {
    test.others.outcome = ({ to }) => (to.startsWith('4915100000001') ? { fail: 'RECIPIENT_UNKNOWN' } : 'sent');
    const { id } = await test.create();
    await test.start(id);
    await test.passUntil(test.isOver(id));
    const [first, , third] = test.others.accepted as never[];
    for (const status of ['read', 'delivered', 'read'] as const) await test.status(first as never, status);
    await test.status(third as never, 'delivered');
    await test.settle(third as never);
    expect(await statsOf(id)).toEqual({
      total: 3,
      sent: 2,
      failed: 1,
      delivered: 2,
      read: 1,
      pending: 0,
      skipped: 0,
      cancelled: 0,
      status: 'completed',
    });
    expect(await test.recipients(id, { status: 'failed' })).toMatchObject([
      { phone: '4915100000001', attempts: 1, error: { code: 'RECIPIENT_UNKNOWN' } },
    ]);
    const failed = test.others.accepted[1];
    await test.status(failed as never, 'delivered');
    expect(await statsOf(id)).toMatchObject({ sent: 3, failed: 0, delivered: 3 });
  });

  it('leaves out who is blocked, and says so', async () => {
    test.others.audience = [person(1, { blocked: true }), person(2)];
    const { id } = await test.create();
    await test.start(id);
    await test.passUntil(test.isOver(id));
    expect(await statsOf(id)).toMatchObject({ total: 2, sent: 1, skipped: 1 });
    expect(await test.recipients(id, { status: 'cancelled' })).toMatchObject([
      { error: { code: 'BLOCKED' }, messageId: null },
    ]);
  });

  it('leaves out who is deleted meanwhile, and forgets them', async () => {
    test.others.outcome = () => 'silent';
    const { id } = await test.create();
    await test.start(id);
    await test.passUntil(() => test.others.accepted.length === 1);
    const { contactId } = test.others.audience[2] as { contactId: string };
    const { organizationId } = test.caller;
    const gone = { id: contactId, change: 'deleted', profileId: null } as const;
    await test.service.emit(ContactUpdated, gone, { organizationId, key: contactId });
    test.others.outcome = () => 'sent';
    await test.settle(test.others.accepted[0] as never);
    await test.passUntil(test.isOver(id));
    expect(test.others.accepted).toHaveLength(2);
    expect(await statsOf(id)).toMatchObject({ total: 3, sent: 2, skipped: 1 });
    expect(await test.recipients(id, { status: 'cancelled' })).toMatchObject([
      { contactId: null, phone: null, name: null, error: { code: 'CONTACT_DELETED' } },
    ]);
  });

  it('refuses to start without recipients, or with too many', async () => {
    test.others.audience = [];
    const { id } = await test.create();
    await expect(test.start(id)).rejects.toMatchObject(fault('recipients'));
    expect(await test.get(id)).toMatchObject({ status: 'draft' });
  });

  it('is started by one of two at once, and sent once', async () => {
    const { id } = await test.create();
    const both = await Promise.allSettled([test.start(id), test.start(id)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await test.passUntil(test.isOver(id));
    expect(test.others.accepted).toHaveLength(3);
    const [{ rows }] = (await test.service.sql.query<{ rows: number }>(
      'SELECT count(*)::int AS rows FROM audience WHERE broadcast_id = $1',
      [id],
    )) as [{ rows: number }];
    expect(rows).toBe(3);
  });
});

describe('variants', () => {
  it('are shared out exactly by weight, and counted apart', async () => {
    test.others.audience = people(10);
    const variants = [
      { name: 'short', text: 'Hi', weight: 2 },
      { name: 'long', text: 'Hello {{name}}' },
    ];
    const { id } = await test.create({ message: { type: 'text', variants } });
    await test.start(id);
    await test.passUntil(test.isOver(id));
    expect(test.others.texts.filter((text) => text === 'Hi')).toHaveLength(7);
    await test.status(test.others.accepted[0] as never, 'read');
    const stats = (await statsOf(id)) as { variants: object[] };
    expect(stats.variants).toEqual([
      { name: 'short', sent: 7, delivered: 1, read: 1, replied: 0 },
      { name: 'long', sent: 3, delivered: 0, read: 0, replied: 0 },
    ]);
    expect(await test.recipients(id, { variant: 'long' })).toHaveLength(3);
    const { organizationId } = test.caller;
    const [short] = test.others.accepted.filter(({ content }) => content['text'] === 'Hi');
    const answer = async (after: number) => {
      const timestamp = new Date(test.service.clock.now() + after).toISOString();
      const from = short?.to ?? '';
      const data = { ...(MessageReceived.example as object), from, timestamp } as DataOf<typeof MessageReceived>;
      await test.service.emit(MessageReceived, data, { organizationId, profileId: test.profileId });
    };
    await answer(80 * 3_600_000);
    await answer(1000);
    await answer(2000);
    expect(await statsOf(id)).toMatchObject({ variants: [{ replied: 1 }, { replied: 0 }] });
  });
});

describe('a fault of a broadcast', () => {
  const text = { type: 'text', text: 'Hi' };
  it.each([
    ['message', { message: {} }],
    [
      'message',
      {
        message: {
          ...text,
          variants: [
            { name: 'a', text: 'x' },
            { name: 'b', text: 'y' },
          ],
        },
      },
    ],
    ['message.text', { message: { type: 'text', text: 'Hi {{other}}' } }],
    ['message', { message: { type: 'image', text: 'Hi' } }],
    ['message.content', { message: { type: 'location', content: { latitude: 100, longitude: 0 } } }],
    ['message.content.url', { message: { type: 'image', content: { url: 'http://127.0.0.1/a.png' } } }],
    ['message.variants', { message: { type: 'text', variants: [{ name: 'a', text: 'x' }] } }],
    [
      'message.variants',
      {
        message: {
          type: 'text',
          variants: [
            { name: 'a', text: 'x' },
            { name: 'a', text: 'y' },
          ],
        },
      },
    ],
    [
      'message.variants',
      {
        message: {
          type: 'text',
          variants: [
            { name: 'a', text: 'x', weight: 0 },
            { name: 'b', text: 'y' },
          ],
        },
      },
    ],
    ['settings.delayMin', { settings: { delayMin: 2, delayMax: 1 } }],
    ['settings.batchSize', { settings: { batchSize: 0 } }],
    ['settings.retryAttempts', { settings: { retryAttempts: 11 } }],
    ['recipients', { recipients: { type: 'tags', value: [] } }],
    ['recipients', { recipients: { type: 'nobody' } }],
    ['quietHours', { quietHours: { from: '25:00', to: '08:00', timezone: 'recipient' } }],
    ['quietHours', { quietHours: { from: '21:00', to: '08:00', timezone: 'Mars/Olympus' } }],
    ['name', { name: '' }],
  ])('is said of %s', async (path, given) => {
    await expect(test.create(given)).rejects.toMatchObject(fault(path));
  });

  it('is said of a profile that is not there, and of who may not use it', async () => {
    await expect(test.create({ profileId: v7() })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const { id } = await test.create();
    const limited = { ...test.caller, apiKeyId: v7(), profileIds: [v7()] };
    const params = { id };
    await expect(test.service.call(GetBroadcast, { caller: limited, params })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
    await expect(test.service.call(StartBroadcast, { caller: testCaller(), params })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    const { body } = await test.service.call(ListBroadcasts, { caller: limited });
    expect(body).toEqual({ items: [], nextCursor: null, total: 0 });
    const bad = { body: { name: 'x' } };
    await expect(test.call(CreateBroadcast, bad)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });
});

it('lists broadcasts, the newest first, by status, name and page', async () => {
  const caller = testCaller({ organizationId: v7() });
  void caller;
  const made = [await test.create({ name: 'Alpha 100%' }), await test.create({ name: 'alphabet' })];
  const list = async (query: object) =>
    (await test.call(ListBroadcasts, { query })).body as {
      items: { id: string }[];
      nextCursor: string | null;
      total: number;
    };
  const found = await list({ search: 'ALPHA' });
  expect(found.items.map(({ id }) => id)).toEqual(made.map(({ id }) => id).toReversed());
  expect(found.total).toBe(2);
  expect((await list({ search: '100%' })).items).toHaveLength(1);
  const first = await list({ search: 'alpha', limit: 1 });
  const second = await list({ search: 'alpha', limit: 1, cursor: first.nextCursor });
  expect([first.items[0]?.id, second.items[0]?.id]).toEqual(made.map(({ id }) => id).toReversed());
});

it('writes recipients as CSV that no spreadsheet runs', async () => {
  test.others.audience = [person(1, { name: '=1+1' })];
  const { id } = await test.create();
  await test.start(id);
  await test.passUntil(test.isOver(id));
  const { body } = await test.call(ExportBroadcastRecipients, { params: { id } });
  const [head, line] = (body as { text: string }).text.split('\r\n');
  expect(head).toBe('contactId,phone,name,status,variant,messageId,attempts,error');
  expect(line).toContain(`4915100000001,'=1+1,sent,`);
});
