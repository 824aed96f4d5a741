import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  ChangeTags,
  ConfigureAiHook,
  CreateFlow,
  GetAutomationRun,
  HandOverChat,
  IngestKnowledgeText,
  ListAutomationRuns,
  PreviousMessages,
} from '@messaging-gateway/contracts';
import { startAiProvider, type FakeAiProvider } from '@messaging-gateway/testing';
import { v7 } from 'uuid';
import { automationTest, type AutomationTest } from '../testing/automation-test.ts';

let provider: FakeAiProvider;
let test: AutomationTest;
let profileId = '';
const tags: string[] = [];
let handedOver = 0;

beforeAll(async () => {
  provider = await startAiProvider();
  test = await automationTest({ aiBaseUrl: provider.baseUrl, aiModel: 'small', allowPrivateTargets: true });
  await test.service.fake(PreviousMessages, () => ({
    messages: [
      { messageId: v7(), role: 'user' as const, content: 'Do you bake?' },
      { messageId: v7(), role: 'assistant' as const, content: 'Yes.' },
    ],
  }));
  await test.service.fake(ChangeTags, ({ add }) => {
    tags.push(...add);
    return { contactId: v7(), tags: [...tags] };
  });
  await test.service.fake(HandOverChat, () => {
    handedOver += 1;
    return { until: null };
  });
});
afterAll(async () => {
  await test.stop();
  await provider.stop();
});
beforeEach(() => {
  profileId = v7();
  provider.behave('normal');
  provider.replyWith(() => 'At nine.');
  test.others.accepted.length = 0;
  tags.length = 0;
  handedOver = 0;
});

const write = (text: string) => test.receive(text, { profileId });
const flow = (action: object = {}, after: readonly object[] = []) =>
  test.ask<{ id: string }>(CreateFlow, {
    body: {
      profileId,
      name: 'Help',
      trigger: { type: 'keyword', value: ['help'] },
      actions: [{ type: 'ai_reply', ...action }, ...after],
    },
  });
async function lastRun(id: string) {
  const { items } = await test.ask<{ items: { id: string }[] }>(ListAutomationRuns, { params: { id } });
  return test.ask<{ status: string; steps: object[] }>(GetAutomationRun, { params: { id: items[0]?.id ?? '' } });
}

describe('a model', () => {
  it('answers in a flow, told what was said before; what the contact writes is no instruction', async () => {
    const { id } = await flow({ systemPrompt: 'You are a baker.' });
    await write('help: when do you open?');
    await test.rested();
    expect(test.others.texts).toEqual(['At nine.']);
    const messages = provider.asked.at(-1)?.body.messages ?? [];
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
    expect(messages[0]?.content).toBe('You are a baker.');
    expect(messages.at(-1)?.content).toBe('help: when do you open?');
    expect((await lastRun(id)).status).toBe('completed');
  });

  it('is told what the knowledge base says', async () => {
    const content = 'The bakery opens at nine on Sundays.';
    await test.ask(IngestKnowledgeText, { params: { profileId }, body: { name: 'Hours', content } });
    await flow({ knowledgeBase: true });
    await write('help: Sundays?');
    await test.rested();
    expect(JSON.stringify(provider.asked.at(-1)?.body.messages?.[0])).toContain(content);
  });

  it('may tag the contact and hand over, and its answer is sent all the same', async () => {
    await flow({ tools: ['add_tag', 'handover'] });
    let round = 0;
    provider.replyWith(() => {
      round += 1;
      if (round > 1) return 'Somebody will write to you.';
      return {
        toolCalls: [
          { name: 'add_tag', arguments: { tag: 'lead' } },
          { name: 'handover', arguments: { reason: 'asked for' } },
        ],
      };
    });
    await write('help me, human');
    await test.rested();
    expect(tags).toEqual(['lead']);
    expect(handedOver).toBe(1);
    expect(test.others.texts).toEqual(['Somebody will write to you.']);
  });

  it.each(['failing', 'nonsense'] as const)('that goes wrong (%s) leaves the word to the fallback', async (fault) => {
    const { id } = await flow({ fallback: 'One moment, {{name|please}}' }, [
      { type: 'send', message: { type: 'text', text: 'More' } },
    ]);
    provider.behave(fault);
    await write('help');
    await test.rested();
    expect(test.others.texts).toEqual(['One moment, please', 'More']);
    expect(await lastRun(id)).toMatchObject({
      status: 'failed',
      steps: [{ status: 'failed', error: { code: 'AI_PROVIDER_FAILED' } }, { status: 'done' }],
    });
  });

  it('answers by ai-hook, with a provider and a key of its own', async () => {
    const config = { baseUrl: provider.baseUrl, apiKey: 'sk-own', model: 'large' };
    await test.ask(ConfigureAiHook, { body: { profileId, provider: 'openai', config } });
    await write('Good morning');
    await test.rested();
    expect(test.others.texts).toEqual(['At nine.']);
    const asked = provider.asked.at(-1);
    expect(asked?.headers.authorization).toBe('Bearer sk-own');
    expect(asked?.body.model).toBe('large');
  });
});
