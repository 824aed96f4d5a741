import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { register, startAiProvider, type FakeAiProvider, type Tenant } from '@messaging-gateway/testing';
import type { World } from './world.ts';

/** Texts of an AI provider of the organization. */
export function ai(at: () => World): void {
  describe('AI of an installation', () => {
    let world: World;
    let owner: Tenant;
    let provider: FakeAiProvider;
    beforeAll(async () => {
      world = at();
      owner = await register(world);
      provider = await startAiProvider();
    }, 600_000);
    afterAll(() => provider.stop());

    const streamed = (body: object, headers: object = {}): Promise<Response> =>
      fetch(`${world.gateway.host}/api/v1/ai/complete`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${owner.token}`,
          'content-type': 'application/json',
          accept: 'text/event-stream',
          ...headers,
        },
        body: JSON.stringify(body),
      });

    it('is 503 until there is a provider', async () => {
      expect(await owner.call('GET', '/ai/status')).toMatchObject({ status: 200, body: { configured: false } });
      expect(await owner.call('POST', '/ai/complete', { prompt: 'Hello' })).toMatchObject({
        status: 503,
        body: { error: { code: 'SERVICE_UNAVAILABLE' } },
      });
      const settings = { baseUrl: provider.baseUrl, apiKey: 'secret', model: 'small', monthlyTokens: 5_000 };
      const answer = await owner.call('PUT', '/settings/ai', settings);
      expect(answer).toMatchObject({ status: 200, body: { hasApiKey: true } });
      expect(JSON.stringify(answer.body)).not.toContain('secret');
    }, 600_000);

    it('answers whole', async () => {
      const reply = await owner.call('POST', '/ai/auto-reply', { message: 'When do you open?' });
      expect(reply).toMatchObject({ status: 200, body: { reply: 'You said: When do you open?', citations: [] } });
      provider.replyWith(() => '{"sentiment":"positive","confidence":0.9}');
      expect(await owner.call('POST', '/ai/sentiment', { message: 'Thanks!' })).toMatchObject({
        status: 200,
        body: { sentiment: 'positive', confidence: 0.9 },
      });
    }, 600_000);

    it('answers in pieces, and a repeat with the whole', async () => {
      provider.replyWith(() => 'One two three');
      const key = { 'idempotency-key': 'a-completion' };
      const answer = await streamed({ prompt: 'Count' }, key);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
      const events = (await answer.text()).split('\n\n').filter((text) => text !== '' && !text.startsWith(':'));
      const pieces = events.slice(0, -1).map((text) => JSON.parse(text.slice('data: '.length)) as { content: string });
      expect(pieces.map(({ content }) => content).join('')).toBe('One two three');
      expect(events.at(-1)).toMatch(/^event: done\ndata: \{"content":"One two three","usage":\{/);
      const asked = provider.asked.length;
      const again = await streamed({ prompt: 'Count' }, key);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect((await again.text()).trimEnd()).toBe(events.at(-1));
      expect(provider.asked.length).toBe(asked);
    }, 600_000);

    it('is 502 when the provider fails, also for who wants pieces, and 429 without tokens', async () => {
      provider.behave('nonsense');
      const failed = { status: 502, body: { error: { code: 'AI_PROVIDER_FAILED' } } };
      expect(await owner.call('POST', '/ai/translate', { text: 'Hi', targetLanguage: 'id' })).toMatchObject(failed);
      expect((await streamed({ prompt: 'x' })).status).toBe(502);
      provider.behave('cut-off');
      const broken = await (await streamed({ prompt: 'x' })).text();
      expect(broken).toMatch(/^data: \{"content":"begun "\}\n\n[^]*event: error\ndata: \{[^\n]*"AI_PROVIDER_FAILED"/);
      provider.behave('normal');
      expect(await owner.call('POST', '/ai/complete', { prompt: 'x', maxTokens: 6_000 })).toMatchObject({
        status: 429,
        body: { error: { code: 'AI_BUDGET_EXHAUSTED' } },
      });
    }, 600_000);
  });
}
