import { describe, expect, it } from '@jest/globals';
import type { Logger } from '@messaging-gateway/runtime';
import type { Chat, Spoken, ToolCall } from '../provider/chatting.ts';
import { generate } from './generating.ts';
import { standardTools, type CitationShown, type Tool } from './tools.ts';

const usage = { promptTokens: 1, completionTokens: 2, totalTokens: 3 };
const log = { debug: () => undefined } as unknown as Logger;

type Said = string | readonly Partial<ToolCall>[];

/** A model that says these things, one after the other, and then the last one again. */
function model(...said: readonly Said[]) {
  const asked: Chat[] = [];
  const speaker = {
    speak: async (_: unknown, chat: Chat): Promise<Spoken> => {
      asked.push({ ...chat, messages: [...chat.messages] });
      const next = said[Math.min(asked.length, said.length) - 1] ?? '';
      return typeof next === 'string'
        ? { text: next, toolCalls: [], usage }
        : { text: '', toolCalls: next.map((call) => ({ id: 'c', name: 'x', arguments: '{}', ...call })), usage };
    },
  };
  return { speaker, asked };
}

const citation: CitationShown = { documentId: 'd', documentName: 'Hours', content: 'We open at nine.', score: 0.5 };
const messages = [{ role: 'user', content: 'When do you open?' }] as const;

function answered(
  said: readonly Said[],
  { tools = [], knowledge = false }: { readonly tools?: readonly Tool[]; readonly knowledge?: boolean } = {},
) {
  const { speaker, asked } = model(...said);
  const search = async () => [citation];
  const given = { organizationId: 'o', profileId: 'p', messages, systemPrompt: 'Be kind.', tools, knowledge };
  return { asked, generated: generate({ speaker: speaker as never, search, log }, given) };
}

describe('an answer of a model', () => {
  it('goes by what the profile knows, and says which passages it was given', async () => {
    const { asked, generated } = answered(['At nine.'], { knowledge: true });
    expect(await generated).toEqual({ text: 'At nine.', usage, citations: [citation], toolCalls: [] });
    expect(asked[0]?.messages).toMatchObject([
      { role: 'system', content: expect.stringMatching(/^Be kind\.[^]*We open at nine\.$/) },
      ...messages,
    ]);
  });

  it('uses tools, and is told what they came to', async () => {
    const tags: string[] = [];
    const tools = [
      standardTools.search_knowledge(async () => [citation]),
      standardTools.add_tag(async (tag) => void tags.push(tag)),
      standardTools.handover(async () => undefined),
    ];
    const { asked, generated } = answered(
      [
        [
          { id: '1', name: 'search_knowledge', arguments: '{"query":"opening"}' },
          { id: '2', name: 'add_tag', arguments: '{"tag":"asked"}' },
        ],
        [{ id: '3', name: 'handover', arguments: '{"reason":"asked for"}' }],
        'A human will answer.',
      ],
      { tools },
    );
    expect(await generated).toMatchObject({
      text: 'A human will answer.',
      usage: { totalTokens: 9 },
      citations: [citation],
      toolCalls: [
        { name: 'search_knowledge', ok: true },
        { name: 'add_tag', ok: true, arguments: '{"tag":"asked"}' },
        { name: 'handover', ok: true },
      ],
    });
    expect(tags).toEqual(['asked']);
    expect(asked[1]?.messages.slice(-3)).toMatchObject([
      { role: 'assistant', tool_calls: [{ id: '1' }, { id: '2' }] },
      { role: 'tool', tool_call_id: '1', content: '[Hours]\nWe open at nine.' },
      { role: 'tool', tool_call_id: '2', content: 'Done.' },
    ]);
  });

  it.each(['{}', '', ' ', 'null', '{"reason":null}', '{"reason":""}', '{"reason":1}'])(
    'hands over when the model writes %j as the arguments',
    async (given) => {
      let times = 0;
      const tools = [standardTools.handover(async () => void (times += 1))];
      const call = [{ id: '1', name: 'handover', arguments: given }];
      const { generated } = answered([call, 'A human will answer.'], { tools });
      expect(await generated).toMatchObject({ toolCalls: [{ name: 'handover', ok: true }] });
      expect(times).toBe(1);
      expect(tools[0]?.parameters).not.toHaveProperty('required');
    },
  );

  it('comes after four rounds at most, the last of them without tools', async () => {
    let done = 0;
    const tools = [standardTools.add_tag(async () => void (done += 1))];
    const again = [{ name: 'add_tag', arguments: '{"tag":"x"}' }];
    const endless = answered([again], { tools });
    await expect(endless.generated).rejects.toMatchObject({ code: 'AI_PROVIDER_FAILED' });
    expect([endless.asked.length, done]).toEqual([4, 3]);
    expect(endless.asked.map((chat) => chat.tools?.length)).toEqual([1, 1, 1, 0]);
    expect(await answered([again, again, again, 'Well.'], { tools }).generated).toMatchObject({ text: 'Well.' });
  });

  it.each<[string, Partial<ToolCall>]>([
    ['is unknown', { name: 'delete_all' }],
    ['is not given JSON', { arguments: '{"tag":' }],
    ['is given no object', { arguments: '["x"]' }],
    ['is given something else', { arguments: '{"tag":{"$ne":1}}' }],
    ['fails', { arguments: '{"tag":"broken"}' }],
  ])('tells the model when a tool %s', async (_, call) => {
    const tools = [
      standardTools.add_tag(async () => {
        throw new Error('broken');
      }),
    ];
    const { asked, generated } = answered([[{ name: 'add_tag', ...call }], 'Sorry.'], { tools });
    expect(await generated).toMatchObject({ text: 'Sorry.', toolCalls: [{ ok: false }] });
    expect(asked[1]?.messages.at(-1)).toMatchObject({ role: 'tool', content: expect.stringMatching(/^It failed: /) });
  });

  it('is none without a text', () =>
    expect(answered(['']).generated).rejects.toMatchObject({ code: 'AI_PROVIDER_FAILED' }));
});
