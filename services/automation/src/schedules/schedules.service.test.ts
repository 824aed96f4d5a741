import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  CreateFlow,
  DeleteFlow,
  GetFlowStats,
  ListAutomationRuns,
  ScheduleMissed,
  ToggleFlow,
  UpdateFlow,
} from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import { v7 } from 'uuid';
import { automationTest, type AutomationTest } from '../testing/automation-test.ts';

let test: AutomationTest;
let profileId = '';

beforeAll(async () => {
  test = await automationTest({}, { replicas: 2 });
});
afterAll(() => test.stop());
beforeEach(() => {
  profileId = v7();
  test.others.accepted.length = 0;
  test.others.handedOver.length = 0;
  test.others.person = {};
  test.others.people = [person(1, 'Ada'), person(2, 'Ben')];
  test.others.suppressed.clear();
  test.others.outcome = () => 'sent';
  test.others.refusal = () => undefined;
});

function person(number: number, name: string, given: object = {}) {
  const phone = String(4_915_170_000_000 + number);
  return {
    contactId: v7(),
    jid: `${phone}@c.us`,
    phone,
    lid: null,
    name,
    pushName: null,
    blocked: false,
    metadata: {},
    ...given,
  };
}

const minuteMs = 60_000;
const dayMs = 86_400_000;
const now = (): number => test.service.clock.now();
/** The next minute at which a flow of this test fires, every day. */
const daily = (inMs = 120_000): { readonly at: number; readonly cron: string } => {
  const at = Math.ceil((now() + inMs) / minuteMs) * minuteMs;
  const time = new Date(at);
  return { at, cron: `${time.getUTCMinutes()} ${time.getUTCHours()} * * *` };
};
const flow = (cron: string, given: object = {}) =>
  test.ask<{ id: string }>(CreateFlow, {
    body: {
      profileId,
      name: 'News',
      trigger: { type: 'schedule', value: { cron, timezone: 'UTC', recipients: { type: 'all' } } },
      actions: [{ type: 'send', message: { type: 'text', text: 'News for {{name|you}}' } }],
      ...given,
    },
  });
const until = (time: number): void => test.service.clock.advance(time - now());
const runsOf = async (id: string) =>
  (
    await test.ask<{ items: { status: string; reason: string | null; messageId: string | null }[] }>(
      ListAutomationRuns,
      { params: { id }, query: { limit: 200 } },
    )
  ).items;
const sent = (): string[] => test.others.texts.toSorted();
const whenSent = async (number: number): Promise<void> => {
  await test.passUntil(() => test.others.accepted.length >= number, 500);
  await test.rested();
};
/** Nothing fires for some time. */
const quiet = async (): Promise<void> => {
  for (let steps = 0; steps < 6; steps += 1) {
    test.service.clock.advance(1_000);
    await test.rested();
  }
};

describe('a flow that fires at a time', () => {
  it('begins a run for each person once, in its minute', async () => {
    const { at, cron } = daily();
    const { id } = await flow(cron);
    until(at - 1_000);
    await test.rested();
    expect(test.others.accepted).toEqual([]);
    until(at + 1_000);
    await test.passUntil(() => test.others.accepted.length === 2, 1);
    expect(now() - at).toBeLessThan(5_000);
    await test.rested();
    expect(sent()).toEqual(['News for Ada', 'News for Ben']);
    await quiet();
    expect(await test.ask(GetFlowStats, { params: { id } })).toMatchObject({ triggered: 2, succeeded: 2, failed: 0 });
    expect(await runsOf(id)).toEqual(
      [1, 2].map(() => expect.objectContaining({ status: 'completed', messageId: null, message: null })),
    );
    until(at + dayMs);
    await whenSent(4);
    expect(await test.ask(GetFlowStats, { params: { id } })).toMatchObject({ triggered: 4 });
    await test.ask(DeleteFlow, { params: { id } });
  });

  it('leaves out who is blocked, on the suppression list, or does not meet the conditions', async () => {
    const tagged = person(3, 'Eve');
    const others = [
      person(4, 'Fay', { blocked: true }),
      person(5, 'Gus'),
      person(6, 'Hal', { metadata: { city: 'Ulm' } }),
    ];
    test.others.people = [tagged, ...others];
    test.others.suppressed.add(others[1]?.phone ?? '');
    const { at, cron } = daily();
    const conditions = [{ type: 'field', field: 'metadata.city', operator: 'exists', not: true }];
    const { id } = await flow(cron, { conditions });
    until(at);
    await whenSent(1);
    await quiet();
    expect(sent()).toEqual(['News for Eve']);
    await test.ask(DeleteFlow, { params: { id } });
  });

  it('does not write where a human has taken over', async () => {
    const { at, cron } = daily();
    test.others.person = { handoverUntil: new Date(at + dayMs).toISOString() };
    const { id } = await flow(cron);
    until(at);
    await test.passUntil(async () => (await runsOf(id)).length === 2);
    expect(await runsOf(id)).toEqual(
      [1, 2].map(() => expect.objectContaining({ status: 'refused', reason: 'handover' })),
    );
    expect(test.others.accepted).toEqual([]);
    await test.ask(DeleteFlow, { params: { id } });
  });

  it('fails for those whom the daily limit leaves out', async () => {
    const { at, cron } = daily();
    test.others.refusal = () =>
      test.others.accepted.length === 0 ? undefined : new Refused('DAILY_LIMIT_REACHED', 'Not today.');
    const { id } = await flow(cron);
    until(at);
    await test.passUntil(async () => (await runsOf(id)).length === 2);
    await test.rested();
    expect(await test.ask(GetFlowStats, { params: { id } })).toMatchObject({ triggered: 2, succeeded: 1, failed: 1 });
    expect(new Set((await runsOf(id)).map(({ reason }) => reason))).toEqual(new Set(['daily_limit', null]));
    await test.ask(DeleteFlow, { params: { id } });
  });

  it('makes up once what was missed within an hour, and tells what is older', async () => {
    const { at, cron } = daily();
    const { id } = await flow(cron);
    until(at + 50 * minuteMs);
    await whenSent(2);
    await quiet();
    expect(test.others.accepted).toHaveLength(2);
    until(at + dayMs + 61 * minuteMs);
    await quiet();
    expect(test.others.accepted).toHaveLength(2);
    const told = (await test.service.published(ScheduleMissed)).filter(({ data }) => data.flowId === id);
    const iso = (time: number): string => new Date(time).toISOString();
    expect(told.map(({ data }) => data)).toEqual([
      { flowId: id, profileId, missedAt: iso(at + dayMs), nextAt: iso(at + 2 * dayMs) },
    ]);
    until(at + 2 * dayMs);
    await whenSent(4);
    await test.ask(DeleteFlow, { params: { id } });
    const { id: often } = await flow('*/5 * * * *');
    until((Math.floor(now() / (5 * minuteMs)) + 5) * 5 * minuteMs + 1_000);
    await whenSent(6);
    await quiet();
    expect(test.others.accepted).toHaveLength(6);
    await test.ask(DeleteFlow, { params: { id: often } });
  });

  it('fires as it was changed, and not when it is off, gone, or fires at messages again', async () => {
    const { at, cron } = daily();
    const ids = await Promise.all([1, 2, 3, 4].map(async () => (await flow(cron)).id));
    const [renamed, off, gone, other] = ids as [string, string, string, string];
    await test.ask(UpdateFlow, {
      params: { id: renamed },
      body: { actions: [{ type: 'send', message: { type: 'text', text: 'Changed' } }] },
    });
    await test.ask(ToggleFlow, { params: { id: off } });
    await test.ask(DeleteFlow, { params: { id: gone } });
    await test.ask(UpdateFlow, { params: { id: other }, body: { trigger: { type: 'keyword', value: ['news'] } } });
    until(at);
    await whenSent(2);
    await quiet();
    expect(sent()).toEqual(['Changed', 'Changed']);
    for (const id of [renamed, off, other]) await test.ask(DeleteFlow, { params: { id } });
  });

  it('goes on where it was when the service ends in the middle: nobody gets it twice, nobody is left out', async () => {
    test.others.people = Array.from({ length: 120 }, (_, number) => person(100 + number, `Person ${number}`));
    const { at, cron } = daily();
    const { id } = await flow(cron);
    until(at);
    await test.passUntil(() => test.others.accepted.length >= 20, 500);
    await test.service.restart();
    await test.passUntil(() => test.others.accepted.length >= 70, 500);
    await test.service.restart();
    await whenSent(120);
    await quiet();
    expect(new Set(test.others.accepted.map(({ to }) => to)).size).toBe(120);
    expect(test.others.accepted).toHaveLength(120);
    await test.ask(DeleteFlow, { params: { id } });
  });

  it('lets others of the profile come in between: it does not fill the lane at once', async () => {
    test.others.people = Array.from({ length: 200 }, (_, number) => person(300 + number, `Person ${number}`));
    test.others.outcome = () => 'silent';
    const { at, cron } = daily();
    const { id } = await flow(cron);
    until(at);
    await test.passUntil(() => test.others.accepted.length >= 50, 500);
    for (let steps = 0; steps < 10; steps += 1) {
      test.service.clock.advance(1_000);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect(test.others.accepted.length).toBeLessThanOrEqual(100);
    await test.ask(DeleteFlow, { params: { id } });
    const open = 'SELECT 1 FROM runs WHERE answerer_id = $1 AND ended_at IS NULL';
    expect(await test.service.sql.query(open, [id])).toEqual([]);
  });
});
