import type { AiSettings as AiSettingsContract, AiStatus, UpdateAiSettings } from '@messaging-gateway/contracts';
import type { EventStore } from '@messaging-gateway/event-sourcing';
import { invalid } from '@messaging-gateway/messaging';
import type { InputOf, OperationInput } from '@messaging-gateway/service';
import { resolvedTargetFault } from '@messaging-gateway/target-guard';
import type { Static } from 'typebox';
import type { AutomationSettings } from '../config.ts';
import { askedBy } from '../metadata.ts';
import { aiSettingsStream, type AiSettings } from './ai-settings.ts';
import type { Budget } from './budget.ts';
import type { Providers } from './providers.ts';

type Shown = Static<typeof AiSettingsContract>;
type Status = Static<typeof AiStatus>;
type Asked = Pick<OperationInput<unknown>, 'caller'>;

export interface SettingsTools {
  readonly store: EventStore;
  readonly settings: AutomationSettings;
  readonly providers: Providers;
  readonly budget: Budget;
}

const shown = ({ providers }: Pick<SettingsTools, 'providers'>, kept: AiSettings): Shown => ({
  monthlyTokens: providers.limitOf(kept) ?? null,
  baseUrl: kept.baseUrl ?? null,
  model: kept.model ?? null,
  embeddingModel: kept.embeddingModel ?? null,
  hasApiKey: kept.apiKey !== undefined,
});

export const getAiSettings = async (tools: SettingsTools, { caller }: Asked): Promise<Shown> =>
  shown(tools, await tools.providers.settingsOf(caller.organizationId));

export async function updateAiSettings(tools: SettingsTools, input: InputOf<typeof UpdateAiSettings>): Promise<Shown> {
  const { store, settings } = tools;
  const { baseUrl } = input.body;
  if (typeof baseUrl === 'string') {
    const fault = await baseUrlFault(baseUrl, settings.allowPrivateTargets);
    if (fault !== undefined) throw invalid([{ path: 'body.baseUrl', message: fault }]);
  }
  const { state } = await store.handle(aiSettingsStream, input.caller.organizationId, input.body, {
    metadata: askedBy(input),
    onAppended: input.context.appended,
  });
  return shown(tools, state);
}

/** Fault in the address of a provider that a tenant gives, as the rest of a sentence; undefined: none. */
async function baseUrlFault(baseUrl: string, allowPrivate: boolean): Promise<string | undefined> {
  const fault = await resolvedTargetFault(baseUrl, { allowPrivate });
  if (fault !== undefined) return fault;
  const { search, hash } = new URL(baseUrl);
  return search === '' && hash === '' ? undefined : 'must end with its path: the routes are below it';
}

export async function getAiStatus({ providers, budget }: SettingsTools, { caller }: Asked): Promise<Status> {
  const { organizationId } = caller;
  const [provider, embeddings, kept, { used, resetsAt }] = await Promise.all([
    providers.of(organizationId),
    providers.ofEmbeddings(organizationId),
    providers.settingsOf(organizationId),
    budget.used(organizationId),
  ]);
  return {
    configured: provider !== undefined,
    model: provider?.model ?? null,
    embeddings: embeddings?.model ?? null,
    budget: { limit: providers.limitOf(kept) ?? null, used, resetsAt: resetsAt.toISOString() },
  };
}
