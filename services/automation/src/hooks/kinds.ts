import type { AiHookCustom, AiHookOpenAi } from '@messaging-gateway/contracts';
import type { Action, Compiled, Incoming, KindOfAnswerer, Match } from '../answerers/compiled.ts';

/** Fields of webhook-reply, as they are kept; `secret` is sealed. */
export interface WebhookReplyDefinition {
  readonly [field: string]: unknown;
  readonly url: string;
  readonly secret?: string;
}

/** Fields of ai-hook, as they are kept; `apiKey`, `secret` and `headers` are sealed. */
export type AiHookDefinition =
  | ({ readonly provider: 'openai'; readonly apiKey?: string; readonly secret?: string } & Omit<
      AiHookOpenAi,
      'apiKey' | 'secret'
    >)
  | ({ readonly provider: 'custom'; readonly headers?: string; readonly secret?: string } & Omit<
      AiHookCustom,
      'headers' | 'secret'
    >);

const defaultHistory = 10;

/** Of all that has words. */
const words = ({ text }: Incoming): Match | undefined => (text.trim() === '' ? undefined : { text, groups: [] });
/** Match of any message, also of pictures and the like: the URL or model that is asked may see what they are. */
const anything = ({ text }: Incoming): Match => ({ text, groups: [] });

const hook = (trigger: Compiled['trigger'], actions: readonly Action[]): Compiled => ({
  groups: false,
  continues: false,
  cooldownSeconds: 0,
  conditions: [],
  actions,
  trigger,
});

export const webhookReplyKind: KindOfAnswerer<WebhookReplyDefinition> = {
  kind: 'webhook-reply',
  compile: ({ url, secret }) =>
    hook(anything, [{ type: 'hook', event: 'webhook-reply', url, ...(secret !== undefined && { secret }) }]),
};

export const aiHookKind: KindOfAnswerer<AiHookDefinition> = {
  kind: 'ai-hook',
  compile: (definition) => {
    const { debounceSeconds = 0 } = definition;
    const gather: readonly Action[] = debounceSeconds > 0 ? [{ type: 'gather', ms: debounceSeconds * 1000 }] : [];
    if (definition.provider === 'openai') {
      const { provider: _, debounceSeconds: __, ...config } = definition;
      return hook(words, [...gather, { type: 'ai_reply', ...config }]);
    }
    const { url, headers, secret, history = defaultHistory } = definition;
    const given = { ...(headers !== undefined && { headers }), ...(secret !== undefined && { secret }) };
    return hook(anything, [...gather, { type: 'hook', event: 'ai-hook', url, history, ...given }]);
  },
};
