import type { Action } from '../answerers/compiled.ts';

/** Settings of an organization for Typebot, as identity hands them over. */
export interface TypebotSettings {
  readonly apiUrl?: string;
  readonly botId?: string;
  readonly enabled?: boolean;
  readonly profileIds?: readonly string[];
  readonly trigger?: { readonly keywords: readonly string[] };
  readonly expireMinutes?: number;
  readonly ignoreGroups?: boolean;
}

/** Where the bot is. */
export interface Bot {
  readonly apiUrl: string;
  readonly botId: string;
}

/** Fields of the answerer, as they are kept. */
export interface TypebotDefinition extends Bot {
  readonly [field: string]: unknown;
  /** Counts the changes of the settings in identity. */
  readonly settingsVersion: number;
  /** Absent: all. */
  readonly profileIds?: readonly string[];
  /** One of them begins a session; none: any text does. */
  readonly keywords: readonly string[];
  /** 0: sessions never expire. */
  readonly expireMinutes: number;
  readonly ignoreGroups: boolean;
}

/** The one step of a run. */
export type TypebotAction = Action & Bot & Pick<TypebotDefinition, 'keywords' | 'expireMinutes'>;

export const usualExpireMinutes = 60;
