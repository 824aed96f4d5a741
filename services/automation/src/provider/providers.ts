import type { EventStore } from '@messaging-gateway/event-sourcing';
import type { AutomationSettings } from '../config.ts';
import { aiSettingsStream, type AiSettings } from './ai-settings.ts';

/** Whom to ask, and how. */
export interface Provider {
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly model: string;
  /** Whether a tenant gave the address, so that the target guard stands before it. */
  readonly isGuarded: boolean;
}

/** A provider that somebody gave for one purpose, such as an ai-hook; what is absent is the organization's. */
export interface OwnProvider {
  readonly baseUrl?: string | undefined;
  readonly apiKey?: string | undefined;
  readonly model?: string | undefined;
}

type Tools = { readonly store: EventStore; readonly settings: AutomationSettings };

/** Providers of organizations: their own, else the installation's. */
export class Providers {
  readonly #store: EventStore;
  readonly #settings: AutomationSettings;

  constructor({ store, settings }: Tools) {
    this.#store = store;
    this.#settings = settings;
  }

  /** @returns undefined when there is none */
  async of(organizationId: string, own: OwnProvider = {}): Promise<Provider | undefined> {
    return this.#chosen(await this.settingsOf(organizationId), own);
  }

  /** The provider that makes embeddings for the organization: `model` is that for embeddings. */
  async ofEmbeddings(organizationId: string): Promise<Provider | undefined> {
    const kept = await this.settingsOf(organizationId);
    const model = kept.embeddingModel ?? this.#settings.aiEmbeddingModel;
    return model === undefined ? undefined : this.#chosen({ ...kept, model }, {});
  }

  async settingsOf(organizationId: string): Promise<AiSettings> {
    return (await this.#store.load(aiSettingsStream, organizationId)).state;
  }

  /** Tokens of a month; undefined: any number. */
  limitOf({ monthlyTokens = this.#settings.aiMonthlyTokens }: AiSettings): number | undefined {
    return monthlyTokens ?? undefined;
  }

  /** A key goes to the server alone that it was given with. */
  #chosen(kept: AiSettings, own: OwnProvider): Provider | undefined {
    const { aiBaseUrl, aiApiKey, aiModel } = this.#settings;
    const model = own.model ?? kept.model ?? aiModel;
    // Servers of one model take any name.
    if (own.baseUrl !== undefined)
      return { baseUrl: own.baseUrl, apiKey: own.apiKey, model: model ?? 'default', isGuarded: true };
    if (model === undefined) return undefined;
    const keyOfTenant = own.apiKey ?? kept.apiKey;
    if (kept.baseUrl !== undefined) return { baseUrl: kept.baseUrl, apiKey: keyOfTenant, model, isGuarded: true };
    if (aiBaseUrl === undefined) return undefined;
    return { baseUrl: aiBaseUrl, apiKey: keyOfTenant ?? aiApiKey, model, isGuarded: false };
  }
}
