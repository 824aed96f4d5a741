import { setting, type Setting, type SettingsOf } from '@messaging-gateway/runtime';
import { retentionSettings } from '@messaging-gateway/service';

/** Settings of automation. */
export const automationSettings = {
  maxAgeSeconds: {
    variable: 'AUTOMATION_MAX_AGE_SECONDS',
    byDefault: '300',
    means: 'Seconds: messages that were written longer ago are not answered automatically.',
    read: setting.integer(300, 1, 86_400),
  },
  aiBaseUrl: {
    variable: 'AI_BASE_URL',
    byDefault: 'none',
    means:
      'Address of an OpenAI-compatible provider, such as `https://api.openai.com/v1`, for organizations without one of their own. It may be private.',
    read: (text) => {
      if (text === undefined) return undefined;
      const isUrl = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
      if (!isUrl) throw new Error('must be an http or https URL');
      return text;
    },
  },
  aiApiKey: {
    variable: 'AI_API_KEY',
    byDefault: 'none',
    means: 'Key for `AI_BASE_URL`; never sent anywhere else.',
    secret: true,
    read: setting.optionalText,
  },
  aiModel: {
    variable: 'AI_MODEL',
    byDefault: 'none',
    means: 'Model that is asked, where an organization names none; needed with `AI_BASE_URL`.',
    read: (text, environment) => {
      if (text === undefined && (environment['AI_BASE_URL']?.trim() ?? '') !== '')
        throw new Error('is needed with AI_BASE_URL');
      return text;
    },
  },
  aiEmbeddingModel: {
    variable: 'AI_EMBEDDING_MODEL',
    byDefault: 'none',
    means: 'Model for embeddings, by which the knowledge base is searched by meaning too; without one by words alone.',
    read: setting.optionalText,
  },
  aiMonthlyTokens: {
    variable: 'AI_MONTHLY_TOKENS',
    byDefault: 'off',
    means: 'Tokens that an organization may use in a month (UTC), where it has set no number of its own; `off`: any.',
    read: (text) =>
      text === undefined || text === 'off' ? undefined : setting.integer(0, 0, Number.MAX_SAFE_INTEGER)(text),
  },
  aiTimeoutMs: {
    variable: 'AI_TIMEOUT_MS',
    byDefault: '30000',
    means:
      'Milliseconds for a whole answer of an AI provider, a second try included; of one that is streamed until it begins, and between two parts.',
    read: setting.integer(30_000, 1, 120_000),
  },
  allowPrivateTargets: {
    variable: 'WEBHOOK_ALLOW_PRIVATE_TARGETS',
    byDefault: 'false',
    means:
      'Allows URLs given by tenants to lead to loopback, private and reserved addresses; metadata services stay blocked.',
    read: setting.flag(false),
  },
  eventRetentionDays: retentionSettings.eventRetentionDays,
} as const satisfies Record<string, Setting<unknown>>;

export type AutomationSettings = SettingsOf<typeof automationSettings>;
