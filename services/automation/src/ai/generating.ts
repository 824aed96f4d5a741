import type { ChatTurn } from '@messaging-gateway/contracts';
import type { Logger } from '@messaging-gateway/runtime';
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import type { Static } from 'typebox';
import type { Spoken, Usage } from '../provider/chatting.ts';
import type { OwnProvider } from '../provider/providers.ts';
import { providerFailed } from '../provider/refusals.ts';
import type { Speaker } from '../provider/speaking.ts';
import { carryOut, offered, passages, type CarriedOut, type CitationShown, type Tool } from './tools.ts';

type Turn = Static<typeof ChatTurn>;

/** A request for an answer of a model, and the means for it. */
export interface Generating {
  readonly organizationId: string;
  /** Profile whose knowledge is used. */
  readonly profileId?: string | undefined;
  /** Oldest first; the last one is answered. What the contact wrote is in here alone, never in the system prompt. */
  readonly messages: readonly Turn[];
  readonly systemPrompt?: string | undefined;
  /** Whether passages of the profile's knowledge go along. */
  readonly knowledge?: boolean;
  readonly tools?: readonly Tool[];
  /** Of each answer of the model, at most. Default 1,024. */
  readonly maxTokens?: number | undefined;
  readonly temperature?: number | undefined;
  /** Another provider than the organization's. */
  readonly provider?: OwnProvider | undefined;
  /** Is given the text as it comes; not together with tools. */
  readonly onText?: ((text: string) => void) | undefined;
  /** Ends it. */
  readonly signal?: AbortSignal | undefined;
}

export interface Generated {
  readonly text: string;
  /** Of all rounds together. */
  readonly usage: Usage;
  /** Passages of knowledge that the model was given, each once. */
  readonly citations: readonly CitationShown[];
  /** Tools that were carried out, in order. */
  readonly toolCalls: readonly CarriedOut[];
}

/** Searches what a profile knows. */
export type SearchKnowledge = (
  organizationId: string,
  profileId: string,
  query: string,
  limit: number,
) => Promise<readonly CitationShown[]>;

export interface GeneratorParts {
  readonly speaker: Speaker;
  readonly search: SearchKnowledge;
  readonly log: Logger;
}

/** So often is the model asked for one answer, the last time without tools. */
const mostRounds = 4;
const usualMaxTokens = 1024;
const passagesAtMost = 5;
const longestQuery = 1_000;

/**
 * Has a model answer, which may use tools on the way.
 *
 * @throws Refused SERVICE_UNAVAILABLE without a provider or a place, AI_BUDGET_EXHAUSTED, AI_PROVIDER_FAILED
 */
export async function generate({ speaker, search, log }: GeneratorParts, asked: Generating): Promise<Generated> {
  const { organizationId, profileId, messages, systemPrompt, tools = [], provider, signal } = asked;
  const query = messages.at(-1)?.content.slice(0, longestQuery) ?? '';
  const known =
    asked.knowledge === true && profileId !== undefined && query.trim() !== ''
      ? await search(organizationId, profileId, query, passagesAtMost)
      : [];
  const told: ChatCompletionMessageParam[] = [
    ...systemMessages(systemPrompt, known),
    ...messages.map(({ role, content }) => ({ role, content })),
  ];
  const toolCalls: CarriedOut[] = [];
  let citations = known;
  let usage: Usage = { promptTokens: 0, completionTokens: 0, totalTokens: 0 };
  for (let round = 1; round <= mostRounds; round += 1) {
    const mayUse = round < mostRounds ? tools : [];
    const spoken = await speaker.speak(
      { organizationId, provider, signal },
      {
        messages: told,
        maxTokens: asked.maxTokens ?? usualMaxTokens,
        temperature: asked.temperature,
        tools: offered(mayUse),
        onText: asked.onText,
      },
    );
    usage = added(usage, spoken.usage);
    if (spoken.toolCalls.length === 0 || mayUse.length === 0) {
      if (spoken.text === '') break;
      return { text: spoken.text, usage, citations, toolCalls };
    }
    const done = await carryOut(mayUse, spoken.toolCalls, log);
    told.push(saidBy(spoken), ...done.map(({ callId, result }) => toolMessage(callId, result)));
    citations = distinct([...citations, ...done.flatMap((one) => one.citations)]);
    toolCalls.push(...done.map(({ name, arguments: given, ok, result }) => ({ name, arguments: given, ok, result })));
  }
  throw providerFailed('answered nothing that can be used');
}

function systemMessages(
  systemPrompt: string | undefined,
  known: readonly CitationShown[],
): ChatCompletionMessageParam[] {
  const texts = [
    ...(systemPrompt === undefined ? [] : [systemPrompt]),
    ...(known.length === 0 ? [] : [`Passages of the knowledge base that may help:\n\n${passages(known)}`]),
  ];
  return texts.length === 0 ? [] : [{ role: 'system', content: texts.join('\n\n') }];
}

const saidBy = ({ text, toolCalls }: Spoken): ChatCompletionMessageParam => ({
  role: 'assistant',
  content: text,
  tool_calls: toolCalls.map(({ id, name, arguments: given }) => ({
    id,
    type: 'function',
    function: { name, arguments: given },
  })),
});

const toolMessage = (callId: string, content: string): ChatCompletionMessageParam => ({
  role: 'tool',
  tool_call_id: callId,
  content,
});

const added = (one: Usage, other: Usage): Usage => ({
  promptTokens: one.promptTokens + other.promptTokens,
  completionTokens: one.completionTokens + other.completionTokens,
  totalTokens: one.totalTokens + other.totalTokens,
});

const distinct = (citations: readonly CitationShown[]): readonly CitationShown[] => [
  ...new Map(citations.map((one) => [`${one.documentId} ${one.content}`, one])).values(),
];
