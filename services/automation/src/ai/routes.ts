import {
  DescribeProfile,
  type CompleteText,
  type ScoreSentiment,
  type SuggestReply,
  type TranslateText,
} from '@messaging-gateway/contracts';
import { assertProfileAllowed, type InputOf, type Reply, type ServiceTools } from '@messaging-gateway/service';
import { providerFailed } from '../provider/refusals.ts';
import { generate, type GeneratorParts } from './generating.ts';
import { replyPrompt, sentimentPrompt, translationPrompt } from './prompts.ts';
import type { Speeches } from './speeches.ts';

export interface RouteTools extends GeneratorParts, Pick<ServiceTools<unknown>, 'ask'> {
  readonly speeches: Speeches;
}

export const completeText = (tools: RouteTools, input: InputOf<typeof CompleteText>): Promise<object | Reply> =>
  tools.speeches.answer(input, async (onText, signal) => {
    const { prompt, ...given } = input.body;
    const { organizationId } = input.caller;
    const messages = [{ role: 'user', content: prompt } as const];
    const { text, usage } = await generate(tools, { ...given, organizationId, messages, onText, signal });
    return { content: text, usage };
  });

export async function suggestReply(tools: RouteTools, input: InputOf<typeof SuggestReply>): Promise<object | Reply> {
  const { caller, context, body } = input;
  const { message, profileId, previousMessages = [] } = body;
  const { organizationId } = caller;
  // Each piece of an answer comes by here.
  if (profileId !== undefined) {
    assertProfileAllowed(caller, profileId);
    if (context.speech?.state === undefined) await tools.ask(DescribeProfile, { organizationId, profileId });
  }
  return tools.speeches.answer(input, async (onText, signal) => {
    const { text, citations, usage } = await generate(tools, {
      organizationId,
      profileId,
      knowledge: true,
      systemPrompt: replyPrompt,
      messages: [...previousMessages, { role: 'user', content: message }],
      onText,
      signal,
    });
    return { reply: text, citations, usage };
  });
}

export async function scoreSentiment(
  tools: RouteTools,
  { caller, body }: InputOf<typeof ScoreSentiment>,
): Promise<Sentiment> {
  const { text } = await generate(tools, {
    organizationId: caller.organizationId,
    systemPrompt: sentimentPrompt,
    messages: [{ role: 'user', content: body.message }],
  });
  return sentimentOf(text);
}

export async function translateText(
  tools: RouteTools,
  { caller, body }: InputOf<typeof TranslateText>,
): Promise<{ text: string }> {
  const { text } = await generate(tools, {
    organizationId: caller.organizationId,
    systemPrompt: translationPrompt(body.targetLanguage),
    messages: [{ role: 'user', content: body.text }],
    // A token is a few characters, in some scripts one.
    maxTokens: Math.max(1024, body.text.length),
  });
  return { text };
}

const sentiments = ['positive', 'neutral', 'negative'] as const;

interface Sentiment {
  readonly sentiment: (typeof sentiments)[number];
  readonly confidence: number;
}

/** Models like to put words or a fence around the JSON that they are asked for. @throws Refused AI_PROVIDER_FAILED */
function sentimentOf(text: string): Sentiment {
  const unusable = providerFailed('answered nothing that can be used');
  try {
    const given = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)) as Record<string, unknown>;
    const sentiment = sentiments.find((one) => one === String(given['sentiment']).toLowerCase());
    const confidence = given['confidence'];
    if (sentiment === undefined || typeof confidence !== 'number' || !(confidence >= 0 && confidence <= 1))
      throw unusable;
    return { sentiment, confidence };
  } catch {
    throw unusable;
  }
}
