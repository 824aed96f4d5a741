import type { OwnTool } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import type { EncryptionKeys } from '@messaging-gateway/runtime';
import type { ServiceTools } from '@messaging-gateway/service';
import type { Generated, Generating, SearchKnowledge } from '../../ai/generating.ts';
import { standardTools, type Tool } from '../../ai/tools.ts';
import type { Action } from '../../answerers/compiled.ts';
import { openSecret } from '../../answerers/secrets.ts';
import type { ToolCaller } from '../../own-tools/tool-caller.ts';
import { saidBefore } from '../../said-before.ts';
import type { StepContext, StepResult, StepType } from '../../step.ts';
import { changeTags, handOverChat } from './chat.ts';
import { filledFor } from './placeholders.ts';

/** Of a flow, or of an ai-hook, which may have a provider of its own; `apiKey` and `secret` are sealed. */
interface AiReplyAction extends Action {
  readonly knowledgeBase?: boolean;
  readonly fallback?: string;
  readonly systemPrompt?: string;
  readonly history?: number;
  readonly tools?: readonly (keyof typeof standardTools)[];
  readonly ownTools?: readonly OwnTool[];
  /** Signs what own tools send. */
  readonly secret?: string;
  readonly baseUrl?: string;
  readonly apiKey?: string;
  readonly model?: string;
}

export interface AiReplyParts {
  readonly ask: ServiceTools<unknown>['ask'];
  readonly encryption: EncryptionKeys;
  readonly generate: (asked: Generating) => Promise<Generated>;
  readonly search: SearchKnowledge;
  readonly toolCaller: Pick<ToolCaller, 'toolsOf'>;
}

const usualHistory = 10;
const passagesAtMost = 5;

/** `{ type: 'ai_reply', … }`: a model answers the message; without an answer the fallback is sent, and the step has failed. */
export const aiReplyStep = (parts: AiReplyParts): StepType => ({
  type: 'ai_reply',
  slow: true,
  carryOut: async (given, context) => {
    const action = given as AiReplyAction;
    try {
      return await answered(parts, action, context);
    } catch (error) {
      // The step is carried out again by whoever goes on.
      if (!(error instanceof Refused) || context.signal.aborted) throw error;
      const failure = { code: error.code, message: error.message };
      const { fallback } = action;
      if (fallback === undefined) return { status: 'failed', failure };
      return { status: 'send', contents: [text(await filledFor(context, fallback))], failure };
    }
  },
});

const text = (words: string) => ({ type: 'text', content: { text: words } }) as const;

async function answered(parts: AiReplyParts, action: AiReplyAction, context: StepContext): Promise<StepResult> {
  const { organizationId, profileId, message, signal } = context;
  const { systemPrompt, knowledgeBase = false, baseUrl, apiKey, model, history = usualHistory } = action;
  const said = message?.body?.trim() ?? '';
  if (said === '') return { status: 'failed', failure: { code: 'NOTHING_TO_ANSWER', message: 'There is no text.' } };
  const before = await saidBefore(parts.ask, context, history);
  const isOwn = baseUrl !== undefined || apiKey !== undefined || model !== undefined;
  const { text: answer, toolCalls } = await parts.generate({
    organizationId,
    profileId,
    messages: [...before, { role: 'user', content: said }],
    systemPrompt,
    knowledge: knowledgeBase,
    tools: toolsFor(parts, action, context),
    ...(isOwn && {
      provider: {
        baseUrl,
        model,
        apiKey: apiKey === undefined ? undefined : openSecret(parts.encryption, organizationId, apiKey),
      },
    }),
    signal,
  });
  const handsOver = toolCalls.some(({ name, ok }) => name === 'handover' && ok);
  return { status: 'send', contents: [text(answer)], ...(handsOver && { handsOver: true as const }) };
}

/** Bound to whom is answered: what the model writes says what, never to whom. */
function toolsFor(
  { ask, search, toolCaller }: AiReplyParts,
  { tools = [], ownTools = [], secret }: AiReplyAction,
  context: StepContext,
): readonly Tool[] {
  const { organizationId, profileId } = context;
  let place = 0;
  const next = (): number => (place += 1);
  const made: Readonly<Record<keyof typeof standardTools, () => Tool>> = {
    search_knowledge: () =>
      standardTools.search_knowledge((query) => search(organizationId, profileId, query, passagesAtMost)),
    add_tag: () => standardTools.add_tag(async (tag) => void (await changeTags(ask, context, { add: [tag] }, next()))),
    handover: () => standardTools.handover(async () => void (await handOverChat(ask, context, next()))),
  };
  return [...tools.map((name) => made[name]()), ...toolCaller.toolsOf(ownTools, secret, context)];
}
