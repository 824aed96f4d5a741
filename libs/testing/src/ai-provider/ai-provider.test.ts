import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { embeddingOf, startAiProvider, type FakeAiProvider, type ProviderBehaviour } from '../index.ts';

let provider: FakeAiProvider;
beforeEach(async () => {
  provider = await startAiProvider();
});
afterEach(() => provider.stop());

const ask = async (body: object, path = 'chat/completions'): Promise<string> => {
  const answer = await fetch(`${provider.baseUrl}/${path}`, { method: 'POST', body: JSON.stringify(body) });
  return answer.text();
};
const hello = { messages: [{ role: 'user', content: 'Hello' }] };

describe('the provider of tests', () => {
  it('answers whole and in pieces, with what it used', async () => {
    expect(JSON.parse(await ask(hello))).toMatchObject({
      choices: [{ message: { content: 'You said: Hello' } }],
      usage: { total_tokens: 6 },
    });
    const stream = await ask({ ...hello, stream: true, stream_options: { include_usage: true } });
    expect(stream.match(/"content":"[^"]*"/g)).toHaveLength(3);
    expect(stream).toContain('"total_tokens":6');
    expect(stream.trimEnd().endsWith('[DONE]')).toBe(true);
    expect(provider.asked.map(({ path }) => path)).toEqual(['/v1/chat/completions', '/v1/chat/completions']);
  });

  it('gives texts that share words embeddings that are near', async () => {
    const near = (one: string, other: string): number => {
      const [a, b] = [embeddingOf(one), embeddingOf(other)];
      return a.reduce((sum, value, place) => sum + value * (b[place] ?? 0), 0);
    };
    expect(near('opening hours', 'our opening hours')).toBeGreaterThan(near('opening hours', 'a refund'));
    const { data } = JSON.parse(await ask({ input: ['a', 'b'] }, 'embeddings')) as { data: { embedding: number[] }[] };
    expect(data.map(({ embedding }) => embedding)).toEqual([embeddingOf('a'), embeddingOf('b')]);
  });

  it('answers those who wait when it is released', async () => {
    provider.next('slow');
    const asked = ask(hello);
    await provider.waitForAsked(1);
    expect(provider.open).toBe(1);
    provider.release();
    expect(await asked).toContain('You said');
    await provider.waitUntilIdle();
  });

  it.each<[ProviderBehaviour, number]>([
    ['failing', 500],
    ['too-many', 429],
    ['not-permitted', 401],
  ])('goes wrong: %s', async (behaviour, status) => {
    provider.behave(behaviour);
    expect((await fetch(`${provider.baseUrl}/chat/completions`, { method: 'POST' })).status).toBe(status);
  });

  it('goes wrong in the middle', async () => {
    provider.behave('cut-off');
    await expect(ask(hello)).rejects.toThrow();
    provider.behave('endless');
    const { body } = await fetch(`${provider.baseUrl}/chat/completions`, { method: 'POST' });
    let bytes = 0;
    for await (const part of body ?? []) if ((bytes += part.length) > 1_000_000) break;
    await provider.waitUntilIdle();
  });
});
