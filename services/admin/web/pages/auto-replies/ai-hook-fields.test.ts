import { describe, expect, it } from '@jest/globals';
import { hookFields, hookRequest, type AiHook } from './ai-hook-fields.ts';

const ownTools = [{ name: 'stock', description: 'Counts', parameters: {}, url: 'https://x.example' }];
const kept = {
  provider: 'openai',
  enabled: false,
  config: {
    model: 'small',
    systemPrompt: 'Be kind',
    knowledgeBase: true,
    history: 0,
    debounceSeconds: 1.5,
    tools: ['handover'],
    ownTools,
    hasApiKey: true,
    hasSecret: true,
  },
} as unknown as AiHook;

describe('fields of an ai-hook', () => {
  it('keep all that is there when nothing is typed', () => {
    const { hasApiKey: _, hasSecret: __, ...config } = kept.config;
    expect(hookRequest('p', hookFields(kept))).toEqual({
      body: { profileId: 'p', provider: 'openai', enabled: false, config },
    });
  });

  it('take away single secrets, and say new ones', () =>
    expect(hookRequest('p', { ...hookFields(kept), apiKey: null, secret: 'new' }).body.config).toMatchObject({
      apiKey: null,
      secret: 'new',
    }));

  it('hold what a URL needs, and nothing of a model', () => {
    const values = { ...hookFields(kept), provider: 'custom' as const, url: 'https://y.example', headers: 'X-Key: 1' };
    expect(hookRequest('p', values).body.config).toEqual({
      url: 'https://y.example',
      headers: { 'X-Key': '1' },
      history: 0,
      debounceSeconds: 1.5,
    });
    expect(hookRequest('p', { ...values, dropsHeaders: true }).body.config).toMatchObject({ headers: null });
  });

  it('leave what is no JSON and no number to the server', () =>
    expect(hookRequest('p', { ...hookFields(undefined), ownTools: '[', history: 'many' }).body.config).toEqual({
      knowledgeBase: false,
      ownTools: '[',
      history: 'many',
    }));
});
