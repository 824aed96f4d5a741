import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  AutomationExecuted,
  ChangeTags,
  ConversationHandover,
  CreateFlow,
  DeleteFlow,
  EraseAutomationData,
  GetFlowStats,
  ProfileDeleted,
  ToggleFlow,
  UpdateFlow,
  type DataOf,
} from '@messaging-gateway/contracts';
import { v7 } from 'uuid';
import { automationTest, type AutomationTest } from '../testing/automation-test.ts';

/** Each event goes to another replica in turn, and kinds overtake each other. */
let test: AutomationTest;
let profileId = '';
const tags: string[] = [];

beforeAll(async () => {
  test = await automationTest({}, { replicas: 2, division: 'turns', shuffle: () => Math.random() * 20 });
  const onces = new Set<string>();
  await test.service.fake(ChangeTags, ({ add, once }) => {
    if (!onces.has(once)) tags.push(...add);
    onces.add(once);
    return { contactId: v7(), tags: [...tags] };
  });
});
afterAll(() => test.stop());
beforeEach(() => {
  profileId = v7();
  tags.length = 0;
  test.others.accepted.length = 0;
  test.others.person = {};
  test.others.outcome = () => 'sent';
});

const say = (text: string) => ({ type: 'send', message: { type: 'text', text } });
const pause = { type: 'delay', ms: 60_000 };
const flow = async (actions: readonly object[], given: object = {}) =>
  (
    await test.ask<{ id: string }>(CreateFlow, {
      body: { profileId, name: 'All', trigger: { type: 'regex', value: '.' }, actions, ...given },
    })
  ).id;
const write = (text: string, given: object = {}) => test.receive(text, { profileId, ...given });
const statsOf = (id: string) => test.ask(GetFlowStats, { params: { id } });

/** Outcomes of the runs of the profile, as many as there are of each. */
async function outcomes(): Promise<Record<string, number>> {
  const rows = await test.service.sql.query<{ outcome: string; total: number }>(
    `SELECT concat_ws(' ', status, reason) AS outcome, count(*)::int AS total FROM runs WHERE profile_id = $1 GROUP BY 1`,
    [profileId],
  );
  return Object.fromEntries(rows.map(({ outcome, total }) => [outcome, total]));
}

/** Waits without moving the clock on: a slow machine must not stretch the time of the test. */
async function comesTo(expected: Record<string, number>): Promise<void> {
  for (let looks = 0; looks < 3000; looks += 1) {
    if (JSON.stringify(await outcomes()) === JSON.stringify(expected)) return;
    await delay(20);
  }
  expect(await outcomes()).toEqual(expected);
}

describe('automation on a bad day', () => {
  it('answers a surge of one person five times, and drops the rest', async () => {
    const id = await flow([say('About {{message}}')]);
    await Promise.all(Array.from({ length: 1000 }, (_, number) => write(`price ${number}`)));
    await comesTo({ completed: 5, 'refused rate_limited': 995 });
    expect(test.others.accepted).toHaveLength(5);
    expect(await statsOf(id)).toMatchObject({ triggered: 1000, succeeded: 5, failed: 0 });
  });

  it('answers a thousand people who write at once, each once, though everything is told twice', async () => {
    const id = await flow([say('Hello')]);
    await Promise.all(
      Array.from({ length: 1000 }, async (_, number) => {
        const told = await write('price', { phone: String(4_915_300_000_000 + number) });
        if (number % 10 === 0) await write('price', told);
      }),
    );
    await comesTo({ completed: 1000 });
    expect(test.others.accepted).toHaveLength(1000);
    expect(new Set(test.others.accepted.map(({ to }) => to)).size).toBe(1000);
    expect(await statsOf(id)).toMatchObject({ triggered: 1000, succeeded: 1000, failed: 0 });
    const told = (await test.service.published(AutomationExecuted)).filter(({ data }) => data.id === id);
    expect(told.filter(({ data }) => data.status === 'completed' && data.messageIds.length === 1)).toHaveLength(1000);
  });

  it('goes through its steps once, though the service ends after each', async () => {
    const steps = [
      say('One'),
      { type: 'add_tag', value: 'seen' },
      pause,
      say('Two'),
      pause,
      say('Three'),
      { type: 'stop' },
      say('Never'),
    ];
    const id = await flow(steps);
    await write('go');
    for (const number of [1, 2, 3]) {
      await test.passUntil(() => test.others.accepted.length >= number, 2_000);
      await test.service.restart();
    }
    await test.rested();
    expect(test.others.texts).toEqual(['One', 'Two', 'Three']);
    expect(tags).toEqual(['seen']);
    expect(await statsOf(id)).toMatchObject({ triggered: 1, succeeded: 1, failed: 0 });
  });

  it('keeps the steps that a run began with when its flow is changed or switched off, and cancels it with the flow', async () => {
    const flows = await Promise.all(
      ['changed', 'off', 'gone'].map((word) =>
        flow([pause, say(`Was ${word}`)], { trigger: { type: 'keyword', value: [word] } }),
      ),
    );
    const [changed = '', off = '', gone = ''] = flows;
    for (const word of ['changed', 'off', 'gone']) await write(word);
    await comesTo({ waiting: 3 });
    await test.ask(UpdateFlow, { params: { id: changed }, body: { actions: [say('Is another')] } });
    await test.ask(ToggleFlow, { params: { id: off } });
    await test.ask(DeleteFlow, { params: { id: gone } });
    expect(await outcomes()).toEqual({ 'cancelled deleted': 1, waiting: 2 });
    test.service.clock.advance(61_000);
    await test.rested();
    expect(new Set(test.others.texts)).toEqual(new Set(['Was changed', 'Was off']));
    await write('changed');
    await test.rested();
    expect(test.others.texts.at(-1)).toBe('Is another');
  });

  it('cancels what waits when a human takes over, and when the profile is deleted', async () => {
    const id = await flow([pause, say('Too late')]);
    const { conversationId } = await write('hello');
    await write('hello', { phone: '4915100055555' });
    await comesTo({ waiting: 2 });
    const { organizationId } = test.caller;
    const about = { organizationId, profileId };
    const until = new Date(test.service.clock.now() + 600_000).toISOString();
    await test.service.emit(ConversationHandover, { conversationId, profileId, until }, about);
    await comesTo({ 'cancelled handover': 1, waiting: 1 });
    const deleted = { ...(ProfileDeleted.example as DataOf<typeof ProfileDeleted>), profileId };
    await test.service.emit(ProfileDeleted, deleted, about);
    await comesTo({ 'cancelled deleted': 1, 'cancelled handover': 1 });
    test.service.clock.advance(61_000);
    await test.rested();
    expect(test.others.accepted).toEqual([]);
    expect(await test.refusal(GetFlowStats, { params: { id } })).toEqual(['NOT_FOUND']);
  });

  it('forgets an organization that is erased in the middle of its runs', async () => {
    await flow([say('A secret of {{message}}'), pause, say('Never')]);
    await write('the miller');
    await test.passUntil(() => test.others.accepted.length === 1, 10);
    const { organizationId } = test.caller;
    await test.service.ask(EraseAutomationData, { organizationId, userId: v7(), wholeOrganization: true });
    test.service.clock.advance(61_000);
    await write('the miller');
    await delay(200);
    expect(test.others.accepted).toHaveLength(1);
    const tables = await test.service.sql.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.columns
        WHERE table_schema = current_schema() AND column_name = 'organization_id'`,
    );
    const counted = await Promise.all(
      tables.map(async ({ name }) => {
        const sql = `SELECT 1 FROM ${name} WHERE organization_id = $1 LIMIT 1`;
        return (await test.service.sql.query(sql, [organizationId])).length > 0 ? [name] : [];
      }),
    );
    expect(tables.length).toBeGreaterThan(8);
    expect(counted.flat()).toEqual([]);
    const kept = await test.service.sql.query(`SELECT 1 FROM events WHERE data::text LIKE '%miller%'`);
    expect(kept).toEqual([]);
  });
});
