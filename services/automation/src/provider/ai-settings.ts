import type { StreamType } from '@messaging-gateway/event-sourcing';

/** Settings of an organization for AI; in the place of an absent one stands the installation's. */
export interface AiSettings {
  /** Null: no limit. */
  readonly monthlyTokens?: number | null;
  readonly baseUrl?: string;
  readonly apiKey?: string;
  readonly model?: string;
  readonly embeddingModel?: string;
}

/** Fields to put in place of those that are there; null takes one away, but for the limit. */
export type AiSettingsChange = { readonly [Field in keyof AiSettings]?: AiSettings[Field] | null };

type Changed = { type: 'AiSettingsChanged'; data: { readonly settings: AiSettings } };

/** Settings of AI, sealed with the organization's key. */
export const aiSettingsStream: StreamType<AiSettings, AiSettingsChange, Changed> = {
  name: 'ai-settings',
  decider: {
    initial: {},
    decide: (change, kept) => {
      const settings = withChange(kept, change);
      return JSON.stringify(settings) === JSON.stringify(kept)
        ? []
        : [{ type: 'AiSettingsChanged', data: { settings } }];
    },
    // Erased, it is a text.
    evolve: (_, { data: { settings } }) => (typeof settings === 'object' ? settings : {}),
  },
  events: { AiSettingsChanged: { version: 1, personal: ['settings'] } },
};

/** A key is not shown to another server than that which it was given for: it goes, unless it is given anew. */
function withChange(kept: AiSettings, { monthlyTokens = kept.monthlyTokens, ...change }: AiSettingsChange): AiSettings {
  const value = (field: 'baseUrl' | 'apiKey' | 'model' | 'embeddingModel'): string | undefined =>
    change[field] === undefined ? kept[field] : (change[field] ?? undefined);
  const baseUrl = value('baseUrl');
  const isElsewhere = originOf(baseUrl) !== originOf(kept.baseUrl);
  const fields = {
    monthlyTokens,
    baseUrl,
    apiKey: isElsewhere ? (change.apiKey ?? undefined) : value('apiKey'),
    model: value('model'),
    embeddingModel: value('embeddingModel'),
  };
  return Object.fromEntries(Object.entries(fields).filter(([, one]) => one !== undefined));
}

const originOf = (url: string | undefined): string | undefined => (url === undefined ? undefined : new URL(url).origin);
