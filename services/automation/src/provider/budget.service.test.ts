import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CompleteText, GetAiStatus, UpdateAiSettings, type AiStatus } from '@messaging-gateway/contracts';
import { testCaller } from '@messaging-gateway/service/testing';
import { startAiProvider, type FakeAiProvider } from '@messaging-gateway/testing';
import type { Static } from 'typebox';
import { v7 } from 'uuid';
import { aiTest, type AiTest } from '../testing/ai-test.ts';
import { Budget } from './budget.ts';

let provider: FakeAiProvider;
let test: AiTest;
beforeAll(async () => {
  provider = await startAiProvider();
  test = await aiTest({ aiBaseUrl: provider.baseUrl, aiModel: 'big', aiMonthlyTokens: 1_000 }, { replicas: 2 });
});
afterAll(async () => {
  await test.stop();
  await provider.stop();
});
beforeEach(() => {
  test.caller = testCaller();
});
afterEach(() => provider.release());

const budget = async () => (await test.ask<Static<typeof AiStatus>>(GetAiStatus)).budget;
const ask = (maxTokens: number) =>
  test.service.call(CompleteText, { caller: test.caller, body: { prompt: 'Hello', maxTokens } });
/** Of the organization in the month: what is set aside. */
const reserved = () =>
  test.service.sql.query('SELECT reserved::int AS reserved FROM ai_budgets WHERE organization_id = $1', [
    test.caller.organizationId,
  ]);

describe('the budget of an organization', () => {
  it('is never exceeded by calls at the same time, whichever replica has them', async () => {
    provider.behave('slow');
    const before = provider.asked.length;
    // Each reserves 98 and a quarter of five characters: ten of them fit.
    let exhausted = 0;
    const allRefused = Promise.withResolvers<void>();
    const calls = Array.from({ length: 30 }, () =>
      ask(98).catch(({ code }: { code?: string }) => {
        if (code === 'AI_BUDGET_EXHAUSTED' && ++exhausted === 20) allRefused.resolve();
      }),
    );
    await Promise.all([provider.waitForAsked(before + 10), allRefused.promise]);
    provider.release();
    await Promise.all(calls);
    expect([exhausted, provider.asked.length - before]).toEqual([20, 10]);
    const now = new Date(test.service.clock.now());
    const resetsAt = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)).toISOString();
    expect(await budget()).toEqual({ limit: 1_000, used: 60, resetsAt });
    expect(await reserved()).toEqual([{ reserved: 0 }]);
  });

  it('counts what was used, is given back what was not, and begins anew with the month', async () => {
    provider.replyWith(() => ({ text: 'Much', usage: { prompt_tokens: 300, completion_tokens: 400 } }));
    expect((await ask(900)).body).toMatchObject({ usage: { totalTokens: 700 } });
    expect(await test.refusal(CompleteText, { body: { prompt: 'Hello', maxTokens: 299 } })).toEqual([
      'AI_BUDGET_EXHAUSTED',
    ]);
    expect((await ask(298)).body).toMatchObject({ usage: { totalTokens: 700 } });
    expect(await budget()).toMatchObject({ used: 1_400 });
    const { resetsAt } = await budget();
    test.service.clock.advance(Date.parse(resetsAt) - test.service.clock.now());
    expect(await budget()).toMatchObject({ used: 0 });
    expect((await ask(900)).status).toBe(200);
  });

  it('counts a quarter of the characters where the provider tells nothing', async () => {
    provider.replyWith(() => ({ text: 'Twelve chars', usage: null }));
    expect((await ask(900)).body).toMatchObject({ usage: { promptTokens: 2, completionTokens: 3, totalTokens: 5 } });
    expect(await budget()).toMatchObject({ used: 5 });
  });

  it('may be set and lifted by the organization', async () => {
    await test.ask(UpdateAiSettings, { body: { monthlyTokens: 10 } });
    expect(await test.refusal(CompleteText, { body: { prompt: 'Hello' } })).toEqual(['AI_BUDGET_EXHAUSTED']);
    await test.ask(UpdateAiSettings, { body: { monthlyTokens: null } });
    expect((await ask(100_000)).status).toBe(200);
    expect(await budget()).toMatchObject({ limit: null });
  });
});

describe('tokens that are set aside', () => {
  it('come back when whoever has set them aside is dead', async () => {
    const { sql, clock } = test.service;
    const [one, other] = [new Budget(sql, clock), new Budget(sql, clock)];
    const id = v7();
    const kept = await one.reserve(id, 80, 100);
    expect(kept).toBeDefined();
    expect(await other.reserve(id, 80, 100)).toBeUndefined();
    clock.advance(15 * 60_000);
    const late = await other.reserve(id, 80, 100);
    expect(late).toBeDefined();
    // Whoever was taken for dead and was not has used something all the same.
    if (kept !== undefined) await one.settle(kept, 30);
    expect(await one.used(id)).toMatchObject({ used: 30 });
    if (late !== undefined) await other.settle(late, 0);
    expect(await other.reserve(id, 71, 100)).toBeUndefined();
    expect(await other.reserve(id, 70, 100)).toBeDefined();
    clock.advance(15 * 60_000);
    await one.tidy();
    expect(
      await sql.query('SELECT reserved::int AS reserved FROM ai_budgets WHERE organization_id = $1', [id]),
    ).toEqual([{ reserved: 0 }]);
  });
});
