import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  CancelBroadcast,
  CreateSuppression,
  DeleteBroadcast,
  GetBroadcastForecast,
  ListBroadcasts,
  PauseBroadcast,
  ScheduleBroadcast,
} from '@messaging-gateway/contracts';
import { testCaller } from '@messaging-gateway/service/testing';
import { v7 } from 'uuid';
import { beginOf, dateOf, limitDay } from '../forecast/days.ts';
import { broadcastsTest, people, person, type BroadcastsTest } from './broadcasts.fixture.ts';
import type { ShownForecast } from './forecasting.ts';

const second = 1000;
const hour = 3_600_000;

let test: BroadcastsTest;
beforeAll(async () => void (test = await broadcastsTest({ maxRecipients: 500 })));
afterAll(() => test.stop());
beforeEach(() => {
  const { others } = test;
  others.accepted.length = 0;
  others.audience = people(3);
  others.isConnected = true;
  others.limit = null;
  others.outcome = () => 'sent';
  others.usedToday = () => others.accepted.length;
});

const asked = (id: string, more: object = {}) => test.call(GetBroadcastForecast, { params: { id }, ...more });
const forecastOf = async (id: string) => (await asked(id)).body as ShownForecast;
const statsOf = async (id: string) => (await test.get(id)).stats;
const timezone = 'America/New_York';
const slowly = { delayMin: 10 * second, delayMax: 10 * second };
const now = () => test.service.clock.now();
const after = ({ endsAt }: ShownForecast): number => Date.parse(endsAt ?? '') - now();

/** Moves the clock to each time before which nothing may be done, until a broadcast has ended. */
async function passQuickly(id: string): Promise<void> {
  const { clock, sql } = test.service;
  await test.passUntil(async () => {
    const [row] = await sql.query<{ at: Date | null; status: string }>(
      `SELECT greatest(resumes_at, waiting_until, next_at) AS at, status FROM broadcasts WHERE broadcast_id = $1 AND held_by IS NULL`,
      [id],
    );
    if (row?.status === 'completed') return true;
    if (row?.at) clock.advance(Math.max(0, row.at.getTime() - clock.now()));
    return false;
  }, 50);
}

describe('the forecast of a broadcast', () => {
  it('that is a draft counts those who would get it', async () => {
    test.others.audience = [...people(10), person(20, { blocked: true })];
    const { id } = await test.create({ settings: slowly });
    const forecast = await forecastOf(id);
    expect(forecast).toMatchObject({ remaining: 10, heldUpBy: ['delays'] });
    expect(after(forecast) / (9 * 10.5 * second)).toBeCloseTo(1, 1);
    expect(forecast.days.reduce((sum, { messages }) => sum + messages, 0)).toBe(10);
    expect(test.others.accepted).toEqual([]);
  });

  it('that is a draft leaves out who is suppressed', async () => {
    const suppressed = person(4000);
    test.others.audience = [...people(2), suppressed];
    const { phone } = suppressed;
    expect(await test.call(CreateSuppression, { body: { phone } })).toMatchObject({ status: 201 });
    const { id } = await test.create();
    expect(await forecastOf(id)).toMatchObject({ remaining: 2 });
  });

  it('that runs or is paused is shown with it, of people in one time zone or in several', async () => {
    test.others.audience = [
      ...people(20),
      ...people(30)
        .slice(20)
        .map((one) => ({ ...one, metadata: { timezone } })),
    ];
    const several = { from: '00:00', to: '00:01', timezone: 'recipient' };
    for (const quietHours of [undefined, several]) {
      const { id } = await test.create({ settings: slowly, ...(quietHours && { quietHours }) });
      expect((await test.get(id)).forecast).toBeNull();
      const sent = test.others.accepted.length;
      await test.start(id);
      await test.passUntil(async () => test.others.accepted.length > sent && (await statsOf(id)).sent === 1);
      const { forecast, stats } = await test.get(id);
      expect(forecast).toEqual(await forecastOf(id));
      expect(forecast?.remaining).toBe(stats.pending);
      expect(forecast?.days.reduce((sum, { messages }) => sum + messages, 0)).toBe(stats.pending);
      const { body } = await test.call(ListBroadcasts, { query: { status: 'running' } });
      expect((body as { items: object[] }).items).toEqual([
        expect.not.objectContaining({ forecast: expect.anything() }),
      ]);
      test.others.isAway = true;
      expect(await test.get(id)).toMatchObject({ status: 'running', forecast: null });
      test.others.isAway = false;
      await test.call(PauseBroadcast, { params: { id } });
      expect((await test.get(id)).forecast).toEqual(await forecastOf(id));
      await test.call(CancelBroadcast, { params: { id } });
      expect((await test.get(id)).forecast).toBeNull();
    }
  });

  it('that is scheduled begins at its time', async () => {
    const { id } = await test.create({ settings: slowly });
    const scheduledAt = new Date(now() + 48 * hour);
    await test.call(ScheduleBroadcast, { params: { id }, body: { scheduledAt: scheduledAt.toISOString() } });
    const { endsAt, days } = await forecastOf(id);
    expect(Date.parse(endsAt ?? '')).toBeGreaterThan(scheduledAt.getTime());
    expect(days[0]?.date).toBe(dateOf(limitDay(scheduledAt.getTime())));
    await test.call(DeleteBroadcast, { params: { id } });
  });

  it('without recipients, a limit or a connection says so', async () => {
    test.others.limit = 0;
    test.others.isConnected = false;
    const { id } = await test.create();
    expect(await forecastOf(id)).toEqual({
      remaining: 3,
      endsAt: null,
      days: [],
      heldUpBy: ['daily_limit', 'not_connected'],
    });
    test.others.audience = [];
    expect(await forecastOf(id)).toEqual({ remaining: 0, endsAt: null, days: [], heldUpBy: [] });
    test.others.audience = people(501);
    await expect(asked(id)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [expect.objectContaining({ path: 'recipients' })],
    });
  });

  it('is that of its organization only', async () => {
    const { id } = await test.create();
    await expect(asked(id, { caller: testCaller() })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const limited = { ...test.caller, profileIds: [v7()] };
    await expect(asked(id, { caller: limited })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('that runs beside another shares with it, and has ended when it has', async () => {
    test.others.audience = people(30);
    test.others.limit = 40;
    const rival = await test.create({ settings: slowly });
    const { id } = await test.create({ settings: slowly });
    await test.start(rival.id);
    await test.start(id);
    await test.passUntil(() => test.others.accepted.length >= 2);
    const running = await forecastOf(id);
    expect(running.heldUpBy).toEqual(['delays', 'daily_limit', 'broadcasts']);
    expect(running.remaining).toBeGreaterThan(20);
    test.others.limit = null;
    await test.call(PauseBroadcast, { params: { id: rival.id } });
    expect((await forecastOf(id)).heldUpBy).toEqual(['delays']);
    await passQuickly(id);
    const { completedAt } = await test.get(id);
    expect(await forecastOf(id)).toEqual({ remaining: 0, endsAt: completedAt, days: [], heldUpBy: [] });
  });

  it('is within one in twenty of the end, in three days with limit and quiet hours', async () => {
    const { others, service } = test;
    const times: number[] = [];
    others.audience = people(100);
    others.limit = 40;
    others.usedToday = () => times.filter((time) => limitDay(time) === limitDay(now())).length;
    others.outcome = () => {
      times.push(now());
      others.resetAt = new Date(beginOf(limitDay(now()) + 1)).toISOString();
      return 'sent';
    };
    // 12:00 of the next day in Jakarta.
    service.clock.advance(beginOf(limitDay(now()) + 1) + 12 * hour - now());
    const quietHours = { from: '21:00', to: '08:00', timezone: 'Asia/Jakarta' };
    const { id } = await test.create({ quietHours, settings: { delayMin: 600 * second, delayMax: 1200 * second } });
    const forecast = await forecastOf(id);
    const startedAt = now();
    await test.start(id);
    await passQuickly(id);
    const took = Date.parse((await test.get(id)).completedAt ?? '') - startedAt;
    expect(took).toBeGreaterThan(48 * hour);
    expect(Math.abs((Date.parse(forecast.endsAt ?? '') - startedAt) / took - 1)).toBeLessThan(0.05);
    expect(forecast.heldUpBy).toEqual(['delays', 'daily_limit', 'quiet_hours']);
    const sent = forecast.days.map(({ date }) => times.filter((time) => dateOf(limitDay(time)) === date).length);
    expect(sent.reduce((sum, count) => sum + count, 0)).toBe(100);
    for (const [index, { messages }] of forecast.days.entries())
      expect(Math.abs(messages - (sent[index] ?? 0))).toBeLessThanOrEqual(6);
  });
});
