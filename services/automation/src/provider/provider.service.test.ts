import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  CompleteText,
  EraseAutomationData,
  GetAiSettings,
  GetAiStatus,
  ReadAutomationData,
  UpdateAiSettings,
  type AiSettings,
  type AiStatus,
} from '@messaging-gateway/contracts';
import { testCaller } from '@messaging-gateway/service/testing';
import { startAiProvider, type FakeAiProvider, type ProviderBehaviour } from '@messaging-gateway/testing';
import type { Static } from 'typebox';
import { aiTest, type AiTest } from '../testing/ai-test.ts';

type Settings = Static<typeof AiSettings>;
type Status = Static<typeof AiStatus>;

let installation: FakeAiProvider;
let own: FakeAiProvider;
let test: AiTest;
beforeAll(async () => {
  [installation, own] = await Promise.all([startAiProvider(), startAiProvider()]);
  test = await aiTest({
    aiBaseUrl: installation.baseUrl,
    aiApiKey: 'key of the installation',
    aiModel: 'big',
  });
});
afterAll(async () => {
  await test.stop();
  await Promise.all([installation.stop(), own.stop()]);
});
beforeEach(() => {
  test.caller = testCaller();
});
afterEach(() => {
  for (const provider of [installation, own]) provider.behave('normal');
});

const put = (body: object) => test.ask<Settings>(UpdateAiSettings, { body });
const status = () => test.ask<Status>(GetAiStatus);
const complete = (more: object = {}) =>
  test.ask<{ content: string; usage: object }>(CompleteText, { body: { prompt: 'Hello', ...more } });
const refusal = (more: object = {}) => test.refusal(CompleteText, { body: { prompt: 'Hello', ...more } });

describe('settings of AI', () => {
  it('are those of the organization, whose key is nowhere in the clear', async () => {
    const none = { monthlyTokens: null, baseUrl: null, model: null, embeddingModel: null, hasApiKey: false };
    expect(await test.ask(GetAiSettings)).toEqual(none);
    const apiKey = 'secret-of-the-tenant';
    expect(await put({ baseUrl: own.baseUrl, apiKey, model: 'small', monthlyTokens: 900 })).toEqual({
      ...none,
      baseUrl: own.baseUrl,
      model: 'small',
      monthlyTokens: 900,
      hasApiKey: true,
    });
    expect(await status()).toMatchObject({ configured: true, model: 'small', budget: { limit: 900, used: 0 } });
    const rows = await test.service.sql.query('SELECT events::text AS text FROM events');
    expect(JSON.stringify(rows)).not.toContain(apiKey);
    expect(await put({ monthlyTokens: null })).toMatchObject({ monthlyTokens: null, hasApiKey: true });
    test.caller = testCaller();
    expect(await test.ask(GetAiSettings)).toEqual(none);
  });

  it('win over those of the installation, whose key goes nowhere else', async () => {
    await put({ baseUrl: own.baseUrl });
    expect(await complete()).toMatchObject({ content: 'You said: Hello' });
    expect(own.asked.at(-1)).toMatchObject({ body: { model: 'big', max_tokens: 1024 } });
    expect(own.asked.at(-1)?.headers.authorization).toBeUndefined();
    await put({ apiKey: 'mine', model: 'small' });
    await complete({ maxTokens: 5, temperature: 0.5, systemPrompt: 'Be brief.' });
    expect(own.asked.at(-1)).toMatchObject({
      headers: { authorization: 'Bearer mine' },
      body: {
        model: 'small',
        max_tokens: 5,
        temperature: 0.5,
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'Hello' },
        ],
      },
    });
    await put({ baseUrl: null, model: null });
    await complete();
    expect(installation.asked.at(-1)).toMatchObject({
      headers: { authorization: 'Bearer key of the installation' },
      body: { model: 'big' },
    });
  });

  it('are refused by the name of the field', async () => {
    const refused = async (body: object) => test.refusal(UpdateAiSettings, { body });
    expect(await refused({ baseUrl: 'ftp://x' })).toEqual(['VALIDATION_ERROR', 'body.baseUrl']);
    expect(await refused({ baseUrl: 'http://169.254.169.254/v1' })).toEqual(['VALIDATION_ERROR', 'body.baseUrl']);
    expect(await refused({ baseUrl: 'https://ai.example/v1?version=1' })).toEqual(['VALIDATION_ERROR', 'body.baseUrl']);
    expect(await refused({ monthlyTokens: -1 })).toEqual(['VALIDATION_ERROR', 'body.monthlyTokens']);
    expect(await refused({ apiKey: 'two words' })).toEqual(['VALIDATION_ERROR', 'body.apiKey']);
    expect(await refused({ key: 'x' })).toEqual(['VALIDATION_ERROR', 'body.key']);
    expect(await test.ask(GetAiSettings)).toMatchObject({ baseUrl: null });
  });

  it('go with the organization, and what it used is shown before', async () => {
    await put({ baseUrl: own.baseUrl, apiKey: 'mine' });
    await complete();
    const { organizationId, userId } = test.caller;
    const whose = { organizationId, userId, wholeOrganization: true };
    expect(await test.service.ask(ReadAutomationData, whose)).toMatchObject({
      items: [{ section: 'aiUsage', item: { tokens: 6 } }],
    });
    await test.service.ask(EraseAutomationData, whose);
    expect(await test.ask(GetAiSettings)).toMatchObject({ baseUrl: null, hasApiKey: false });
    const left = await test.service.sql.query('SELECT 1 FROM ai_budgets WHERE organization_id = $1', [organizationId]);
    expect(left).toEqual([]);
  });
});

describe('a provider that goes wrong', () => {
  const used = async () => (await status()).budget.used;

  it.each<ProviderBehaviour>(['cut-off', 'nonsense', 'empty', 'endless', 'not-permitted', 'redirecting'])(
    'costs nothing and is asked once: %s',
    async (behaviour) => {
      await put({ baseUrl: own.baseUrl, monthlyTokens: 2_000 });
      own.behave(behaviour);
      const before = own.asked.length;
      expect(await refusal()).toEqual(['AI_PROVIDER_FAILED']);
      expect([own.asked.length - before, await used()]).toEqual([1, 0]);
      own.behave('normal');
      expect(await complete()).toMatchObject({ content: 'You said: Hello' });
      await own.waitUntilIdle();
    },
  );

  it('without an end is waited for until its time is over', async () => {
    const impatient = await aiTest({ aiBaseUrl: own.baseUrl, aiModel: 'big', aiTimeoutMs: 200 });
    try {
      for (const behaviour of ['hanging', 'stalling'] as const) {
        own.behave(behaviour);
        await expect(
          impatient.service.call(CompleteText, { caller: impatient.caller, body: { prompt: 'Hello' } }),
        ).rejects.toMatchObject({ code: 'AI_PROVIDER_FAILED', details: { hangs: true } });
        await own.waitUntilIdle();
      }
      expect(await impatient.ask(GetAiStatus)).toMatchObject({ budget: { used: 0 } });
    } finally {
      await impatient.stop();
    }
  });

  it.each<ProviderBehaviour>(['failing', 'too-many'])('is asked a second time, and no third: %s', async (behaviour) => {
    await put({ baseUrl: own.baseUrl });
    own.next(behaviour);
    expect(await complete()).toMatchObject({ content: 'You said: Hello' });
    const before = own.asked.length;
    own.behave(behaviour);
    expect(await refusal()).toEqual(['AI_PROVIDER_FAILED']);
    expect(own.asked.length - before).toBe(2);
  });

  it('again and again is not asked for a while, and costs others nothing', async () => {
    await put({ baseUrl: own.baseUrl });
    own.behave('nonsense');
    await Promise.all(Array.from({ length: 10 }, () => refusal()));
    const before = own.asked.length;
    expect(await refusal()).toEqual(['AI_PROVIDER_FAILED']);
    expect(own.asked.length).toBe(before);
    test.caller = testCaller();
    own.behave('normal');
    await put({ baseUrl: own.baseUrl });
    expect(await complete()).toMatchObject({ content: 'You said: Hello' });
  });

  it('slowly leaves room for others', async () => {
    await put({ baseUrl: own.baseUrl });
    own.behave('slow');
    const before = own.asked.length;
    const waiting = Array.from({ length: 20 }, () => complete().catch(() => undefined));
    await own.waitForAsked(before + 16);
    test.caller = testCaller();
    expect(await complete()).toMatchObject({ content: 'You said: Hello' });
    expect(own.asked.length).toBe(before + 16);
    own.release();
    await Promise.all(waiting);
  });

  it('that leads into the own network is refused when it is asked, too', async () => {
    const strict = await aiTest({
      allowPrivateTargets: false,
      aiBaseUrl: installation.baseUrl,
      aiModel: 'big',
    });
    try {
      expect(await strict.refusal(UpdateAiSettings, { body: { baseUrl: own.baseUrl } })).toEqual([
        'VALIDATION_ERROR',
        'body.baseUrl',
      ]);
      expect(await strict.ask(CompleteText, { body: { prompt: 'Hello' } })).toMatchObject({
        content: 'You said: Hello',
      });
    } finally {
      await strict.stop();
    }
  });
});

describe('without a provider', () => {
  it('says so', async () => {
    const bare = await aiTest();
    try {
      expect(await bare.ask(GetAiStatus)).toMatchObject({ configured: false, model: null, embeddings: null });
      expect(await bare.refusal(CompleteText, { body: { prompt: 'Hello' } })).toEqual(['SERVICE_UNAVAILABLE']);
    } finally {
      await bare.stop();
    }
  });
});
