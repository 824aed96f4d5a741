import type { AnswerOf, RequestOf } from '../../api/operations.ts';
import { limitIn } from '../../kit/typed.ts';
import { headersIn } from '../../webhooks/fields.ts';

export type AiHook = AnswerOf<'GetAiHook'>;

export const providers = ['openai', 'custom'] as const;
export const toolNames = ['search_knowledge', 'add_tag', 'handover'] as const;
type Tool = (typeof toolNames)[number];
/** As `TypedSecret` of the kit, which is a view. */
type Secret = string | null | undefined;

/** Fields of the form, with what is kept. Secrets are not shown, so theirs are empty. */
export function hookFields(before: AiHook | undefined) {
  const { url, baseUrl, model, systemPrompt, fallback, knowledgeBase, tools, ownTools, history, debounceSeconds } =
    before?.config ?? {};
  return {
    provider: before?.provider ?? ('openai' as const),
    enabled: before?.enabled ?? true,
    url: url ?? '',
    headers: '',
    dropsHeaders: false,
    baseUrl: baseUrl ?? '',
    model: model ?? '',
    systemPrompt: systemPrompt ?? '',
    fallback: fallback ?? '',
    knowledgeBase: knowledgeBase ?? false,
    tools: (tools ?? []) as readonly Tool[],
    ownTools: ownTools === undefined || ownTools.length === 0 ? '' : JSON.stringify(ownTools, undefined, 2),
    history: history === undefined ? '' : String(history),
    debounceSeconds: debounceSeconds === undefined ? '' : String(debounceSeconds),
    apiKey: undefined as Secret,
    secret: undefined as Secret,
  };
}

type Fields = ReturnType<typeof hookFields>;

/** What was typed into the fields of the provider; what is empty is left out. What is no JSON is the server's to refuse. */
export function hookRequest(profileId: string, values: Fields): RequestOf<'ConfigureAiHook'> {
  const { provider, enabled, history, debounceSeconds, secret } = values;
  const config = {
    ...(provider === 'openai' ? modelConfig(values) : urlConfig(values)),
    ...(secret !== undefined && { secret }),
    ...numbered('history', history),
    ...numbered('debounceSeconds', debounceSeconds),
  };
  return { body: { profileId, provider, config, enabled } };
}

function modelConfig({
  baseUrl,
  model,
  systemPrompt,
  fallback,
  knowledgeBase,
  tools,
  ownTools,
  apiKey,
}: Fields): object {
  const words = Object.entries({ baseUrl, model, systemPrompt, fallback }).filter(([, text]) => text.trim() !== '');
  return {
    ...Object.fromEntries(words),
    knowledgeBase,
    ...(tools.length > 0 && { tools }),
    ...(ownTools.trim() !== '' && { ownTools: jsonOr(ownTools) }),
    ...(apiKey !== undefined && { apiKey }),
  };
}

function urlConfig({ url, headers, dropsHeaders }: Fields): object {
  const given = headersIn(headers);
  return { url, ...(dropsHeaders ? { headers: null } : given && { headers: given }) };
}

const numbered = (name: string, typed: string): object => {
  const value = limitIn(typed);
  return value === null ? {} : { [name]: value };
};

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
