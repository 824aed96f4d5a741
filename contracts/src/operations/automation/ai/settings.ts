import { Type } from 'typebox';
import { operation, organizationLimits } from '../../../contract.ts';
import { closed, Count, nullable } from '../../../shapes.ts';

const MonthlyTokens = nullable({ ...Count, description: 'Tokens of a month (UTC); null: no limit' });
const Url = Type.String({ minLength: 1, maxLength: 2048, description: '`http://` or `https://`' });
const Model = (what: string) =>
  Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 200, description: `Name of the model ${what}` })));

/** How an organization asks AI. */
export const AiSettings = closed(
  {
    monthlyTokens: MonthlyTokens,
    baseUrl: nullable(Type.String({ description: "Of an OpenAI-compatible provider; null: the installation's" })),
    model: nullable(Type.String({ description: "Null: the installation's" })),
    embeddingModel: nullable(Type.String({ description: "Null: the installation's" })),
    hasApiKey: Type.Boolean({ description: 'Whether there is a key of its own' }),
  },
  { title: 'AiSettings' },
);

const example = {
  monthlyTokens: 1_000_000,
  baseUrl: 'https://api.openai.com/v1',
  model: 'gpt-4o-mini',
  embeddingModel: null,
  hasApiKey: true,
};
const common = { owner: 'automation', path: '/settings/ai', tag: 'Settings' } as const;
const answers = { 200: { body: AiSettings, means: 'As they are now.', example } };

export const GetAiSettings = operation({
  ...common,
  name: 'GetAiSettings',
  method: 'GET',
  access: 'settings:read',
  summary: 'Get AI settings',
  means: "What the organization has set; where that is null, the installation's holds. The key is never shown.",
  answers,
});

export const UpdateAiSettings = operation({
  ...common,
  name: 'UpdateAiSettings',
  method: 'PUT',
  access: 'settings:update',
  refusesKeysLimitedIn: organizationLimits,
  audit: { action: 'settings.update_ai', resourceParameter: null },
  summary: 'Update AI settings',
  means:
    "Changes the fields that are given; null takes one back to the installation's, but `monthlyTokens: null` lifts the limit. The key " +
    "of the installation is sent to the installation's provider alone, so a `baseUrl` needs an `apiKey` of its own where the provider " +
    'asks for one; and that goes when `baseUrl` leads to another server.',
  body: closed(
    {
      monthlyTokens: Type.Optional(MonthlyTokens),
      baseUrl: Type.Optional(nullable(Url)),
      apiKey: Type.Optional(
        nullable(
          Type.String({
            minLength: 1,
            maxLength: 1024,
            pattern: '^[!-~]+$',
            description: 'Never returned; left out: stays as it is; null: removed',
          }),
        ),
      ),
      model: Model('that answers'),
      embeddingModel: Model('for embeddings'),
    },
    { title: 'AiSettingsChange' },
  ),
  answers,
  example: { baseUrl: 'https://api.openai.com/v1', apiKey: 'secret', model: 'gpt-4o-mini', monthlyTokens: 1_000_000 },
});

export const AiStatus = closed(
  {
    configured: Type.Boolean({ description: 'Whether there is a provider to ask' }),
    model: nullable(Type.String({ description: 'The one that is asked; null: none' })),
    embeddings: nullable(Type.String({ description: 'Model by which knowledge is searched by meaning; null: none' })),
    budget: closed(
      {
        limit: nullable({ ...Count, description: 'Tokens of a month; null: any number' }),
        used: { ...Count, description: 'Tokens of this month' },
        resetsAt: Type.String({ format: 'date-time', description: 'When the next month begins' }),
      },
      { description: 'What the organization may use, by months in UTC' },
    ),
  },
  { title: 'AiStatus' },
);

export const GetAiStatus = operation({
  name: 'GetAiStatus',
  owner: 'automation',
  method: 'GET',
  path: '/ai/status',
  access: 'automation:read',
  tag: 'AI',
  summary: 'Provider status',
  means: 'Whether there is an AI provider, and what is left of the budget.',
  answers: {
    200: {
      body: AiStatus,
      means: 'As it is now; the provider is not asked.',
      example: {
        configured: true,
        model: 'gpt-4o-mini',
        embeddings: null,
        budget: { limit: 1_000_000, used: 1234, resetsAt: '2026-12-01T00:00:00.000Z' },
      },
    },
  },
});
