import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CreateFlow } from '@messaging-gateway/contracts';
import { v7 } from 'uuid';
import { automationTest, type Accepted, type AutomationTest } from '../testing/automation-test.ts';

let test: AutomationTest;
beforeAll(async () => {
  test = await automationTest({}, { replicas: 2 });
});
afterAll(() => test.stop());

/** Two gateways that answer all: what one sends the other receives. */
const profiles = { one: v7(), other: v7() };
const phones = { one: '4915100000001', other: '4915100000002' };
let heard = 0;
beforeEach(() => {
  profiles.one = v7();
  profiles.other = v7();
  test.others.accepted.length = 0;
  heard = 0;
});

const catchAll = (profileId: string, before: readonly object[]) =>
  test.ask(CreateFlow, {
    body: {
      profileId,
      name: 'All',
      trigger: { type: 'regex', value: '.' },
      actions: [...before, { type: 'send', message: { type: 'text', text: '{{message}}!' } }],
    },
  });

/** Hands over what was sent since. @returns how many */
async function deliver(): Promise<number> {
  const sent: readonly Accepted[] = test.others.accepted.slice(heard);
  heard += sent.length;
  for (const { profileId, content } of sent) {
    const isOne = profileId === profiles.one;
    await test.receive(String(content['text']), {
      profileId: isOne ? profiles.other : profiles.one,
      phone: isOne ? phones.one : phones.other,
    });
  }
  return sent.length;
}

/** Resolves when no run is being carried out or is due: on a slow machine the clock must not run ahead of the work. */
async function settled(): Promise<void> {
  for (let looks = 0; looks < 1000; looks += 1) {
    const rows = await test.service.sql.query(
      "SELECT 1 FROM runs WHERE ended_at IS NULL AND (status = 'running' OR next_look_at <= $1) LIMIT 1",
      [new Date(test.service.clock.now())],
    );
    if (rows.length === 0) return;
    await delay(3);
  }
}

/** As long as something is said; for six hours at most. @returns the number of messages, with the first */
async function talk(stepMs: number): Promise<number> {
  const begun = test.service.clock.now();
  await test.receive('Hello', { profileId: profiles.one, phone: phones.other });
  let quietSince = test.service.clock.now();
  await test.passUntil(async () => {
    await settled();
    const now = test.service.clock.now();
    if ((await deliver()) > 0) quietSince = now;
    return now - quietSince > 180_000;
  }, stepMs);
  test.service.clock.advance(begun + 6 * 3_600_000 - test.service.clock.now());
  await test.passUntil(async () => (await deliver()) === 0, stepMs);
  return 1 + test.others.accepted.length;
}

describe('two gateways that answer each other', () => {
  it('stop after eleven messages', async () => {
    await catchAll(profiles.one, []);
    await catchAll(profiles.other, []);
    expect(await talk(1_000)).toBeLessThanOrEqual(11);
  });

  it('with delays of fifteen seconds stop after 125', async () => {
    const pause = [{ type: 'delay', ms: 15_000 }];
    await catchAll(profiles.one, pause);
    await catchAll(profiles.other, pause);
    const messages = await talk(15_000);
    expect(messages).toBeLessThanOrEqual(125);
    expect(messages).toBeGreaterThan(60);
  });
});
