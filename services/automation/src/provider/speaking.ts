import { Refused } from '@messaging-gateway/messaging';
import type { Budget } from './budget.ts';
import type { Calls } from './calls.ts';
import { charactersOf, chat, tokensOf, type Chat, type Spoken } from './chatting.ts';
import type { Hampering } from './hampered.ts';
import type { AiMetrics } from './metrics.ts';
import type { OwnProvider, Providers } from './providers.ts';
import { budgetExhausted, notConfigured } from './refusals.ts';

/** For whom a model is asked. */
export interface Speaking {
  readonly organizationId: string;
  /** In the place of the organization's. */
  readonly provider?: OwnProvider | undefined;
  /** Ends it. */
  readonly signal?: AbortSignal | undefined;
}

export interface SpeakerParts {
  readonly providers: Providers;
  readonly budget: Budget;
  readonly calls: Calls;
  readonly metrics: AiMetrics;
  readonly hampering: Hampering;
}

/** Asks models of organizations, within their budgets. */
export class Speaker {
  readonly #parts: SpeakerParts;

  constructor(parts: SpeakerParts) {
    this.#parts = parts;
  }

  /**
   * @throws Refused SERVICE_UNAVAILABLE without a provider or a place, AI_BUDGET_EXHAUSTED, AI_PROVIDER_FAILED
   */
  async speak({ organizationId, provider: own, signal }: Speaking, asked: Chat): Promise<Spoken> {
    const { providers, budget, calls, metrics, hampering } = this.#parts;
    const provider = await providers.of(organizationId, own);
    if (provider === undefined) throw notConfigured();
    const limit = providers.limitOf(await providers.settingsOf(organizationId));
    const tokens = asked.maxTokens + tokensOf(charactersOf(asked.messages));
    const reservation = await budget.reserve(organizationId, tokens, limit);
    if (reservation === undefined) {
      hampering.exhausted(organizationId);
      throw budgetExhausted((await budget.used(organizationId)).resetsAt);
    }
    const outcome = metrics.begin();
    let come = 0;
    let used = 0;
    try {
      const spoken = await calls.ask(provider, { organizationId, signal }, (client, ended, heard) => {
        const onText = asked.onText && countingPieces(asked.onText, heard, (length) => (come += length));
        return chat(client, provider.model, { ...asked, onText }, ended);
      });
      used = spoken.usage.totalTokens;
      outcome('ok', used);
      hampering.answered(organizationId);
      return spoken;
    } catch (error) {
      // What has come in pieces before it broke off was used.
      used = come === 0 ? 0 : tokensOf(charactersOf(asked.messages) + come);
      outcome('failed', used);
      if (isFault(error)) hampering.failed(organizationId);
      throw error;
    } finally {
      await budget.settle(reservation, used);
    }
  }
}

/** The provider's, not that of whoever has given up. */
const isFault = (error: unknown): boolean => error instanceof Refused && error.code === 'AI_PROVIDER_FAILED';

const countingPieces =
  (onText: (text: string) => void, heard: () => void, count: (length: number) => void) =>
  (text: string): void => {
    heard();
    count(text.length);
    onText(text);
  };
