import { Type, type Static } from 'typebox';
import { operation } from '../../contract.ts';
import { OwnTools, StandardTools } from './flows/own-tools.ts';
import { Id, Timestamp, closed, nullable, oneOf } from '../../shapes.ts';

const Url = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: 'Asked what to answer; the target guard applies',
});
const Secret = Type.String({ minLength: 1, maxLength: 256, description: 'Signs the requests; never shown' });
const enabled = { description: 'Whether it answers' };
const params = closed({ profileId: Id });

const common = { owner: 'automation', tag: 'Auto-reply', errors: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'] } as const;

export const WebhookReply = closed(
  {
    id: Id,
    profileId: Id,
    url: Type.String(),
    enabled: Type.Boolean(enabled),
    hasSecret: Type.Boolean({ description: 'Whether its requests are signed' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'WebhookReply' },
);

const webhookReply = {
  id: '0198c0de-0000-5000-8000-000000000001',
  profileId: '0198c0de-0000-7000-8000-000000000002',
  url: 'https://shop.example/answers',
  enabled: true,
  hasSecret: true,
  createdAt: '2026-01-01T10:00:00.000Z',
  updatedAt: '2026-01-01T10:00:00.000Z',
};

export const ConfigureWebhookReply = operation({
  ...common,
  name: 'ConfigureWebhookReply',
  method: 'POST',
  path: '/autoreply/webhook-reply',
  access: 'automation:update',
  audit: { action: 'auto_reply.configure', resourceParameter: null },
  summary: 'Let a URL answer',
  means:
    'Messages in chats of two that no flow and no rule has answered are posted to the URL, once, within 10 seconds: `{ id, event: ' +
    '"webhook-reply", flowId: null, runId: null, profileId, timestamp, data, contact, match }`, where `data` is that of `message.received`. It answers `{ reply }` or `{ replies: ' +
    '[{ type, content }] }`, five at most, or nothing. What comes later than 60 seconds after the message is dropped. With `secret` requests are ' +
    'signed as webhooks are; null takes it away. Fields that are left out stay as they are.',
  body: closed({
    profileId: Id,
    url: Type.Optional(Url),
    enabled: Type.Optional(Type.Boolean(enabled)),
    secret: Type.Optional(nullable(Secret)),
  }),
  answers: { 200: { body: WebhookReply, means: 'As it is now.', example: webhookReply } },
  example: { profileId: webhookReply.profileId, url: webhookReply.url, enabled: true },
});

export const GetWebhookReply = operation({
  ...common,
  name: 'GetWebhookReply',
  method: 'GET',
  path: '/autoreply/webhook-reply/:profileId',
  access: 'automation:read',
  summary: 'Get the URL that answers',
  means: '404 before it was configured.',
  params,
  answers: { 200: { body: WebhookReply, means: 'As it is now.', example: webhookReply } },
});

const history = Type.Integer({
  minimum: 0,
  maximum: 50,
  description: 'Earlier messages of the chat that go along; default 10',
});
const debounceSeconds = Type.Number({
  minimum: 0,
  maximum: 60,
  description:
    'Messages that follow each other this closely are answered together, counted from the last one; default 0',
});

const openai = {
  baseUrl: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2048,
      description: 'Of an OpenAI-compatible provider; default: that of the settings',
    }),
  ),
  model: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Default: that of the settings' })),
  systemPrompt: Type.Optional(Type.String({ minLength: 1, maxLength: 32_768, description: 'For the model' })),
  knowledgeBase: Type.Optional(Type.Boolean({ description: 'Whether it answers by the knowledge of the profile' })),
  fallback: Type.Optional(Type.String({ minLength: 1, maxLength: 4096, description: 'Sent when there is no answer' })),
  history: Type.Optional(history),
  debounceSeconds: Type.Optional(debounceSeconds),
  tools: Type.Optional(StandardTools),
  ownTools: Type.Optional(OwnTools),
};
const custom = {
  url: Url,
  headers: Type.Optional(
    nullable(
      Type.Record(Type.String({ maxLength: 100 }), Type.String({ maxLength: 4096 }), {
        description: 'Sent along; never shown; null: removed',
      }),
    ),
  ),
  history: Type.Optional(history),
  debounceSeconds: Type.Optional(debounceSeconds),
};

/** Fields of `config`, by provider: what is given, secrets in the clear. */
export const aiHookConfigs = {
  openai: closed({
    ...openai,
    apiKey: Type.Optional(
      nullable(Type.String({ minLength: 1, maxLength: 4096, description: 'Never shown; null: removed' })),
    ),
    secret: Type.Optional(
      nullable({ ...Secret, description: 'Signs what `ownTools` send; never shown; null: removed' }),
    ),
  }),
  custom: closed({ ...custom, secret: Type.Optional(nullable(Secret)) }),
};
export type AiHookOpenAi = Static<(typeof aiHookConfigs)['openai']>;
export type AiHookCustom = Static<(typeof aiHookConfigs)['custom']>;

const Provider = oneOf(['openai', 'custom'], {
  description:
    '`openai`: any OpenAI-compatible provider; `custom`: a URL as of webhook-reply, which is told what was said before',
});

export const AiHook = closed(
  {
    id: Id,
    profileId: Id,
    provider: Provider,
    config: closed(
      {
        ...openai,
        url: Type.Optional(Type.String()),
        history: Type.Optional(history),
        debounceSeconds: Type.Optional(debounceSeconds),
        hasApiKey: Type.Optional(Type.Boolean({ description: 'Whether a key is kept' })),
        hasSecret: Type.Optional(Type.Boolean()),
        hasHeaders: Type.Optional(Type.Boolean({ description: 'Whether headers are kept' })),
      },
      { title: 'AiHookConfig', description: 'As it is kept, without secrets' },
    ),
    enabled: Type.Boolean(enabled),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'AiHook' },
);

const aiHook = {
  id: '0198c0de-0000-5000-8000-000000000001',
  profileId: '0198c0de-0000-7000-8000-000000000002',
  provider: 'openai',
  config: {
    model: 'gpt-4o-mini',
    systemPrompt: 'You help customers of a bakery.',
    knowledgeBase: true,
    hasApiKey: false,
  },
  enabled: true,
  createdAt: '2026-01-01T10:00:00.000Z',
  updatedAt: '2026-01-01T10:00:00.000Z',
};

export const ConfigureAiHook = operation({
  ...common,
  name: 'ConfigureAiHook',
  method: 'POST',
  path: '/autoreply/ai-hook',
  access: 'automation:update',
  audit: { action: 'auto_reply.configure_ai', resourceParameter: null },
  summary: 'Let AI answer',
  means:
    'Messages in chats of two that nothing before it has answered are answered by AI. `config` of `openai`: `baseUrl, apiKey, model, systemPrompt, ' +
    'knowledgeBase, fallback, history, debounceSeconds, tools, ownTools, secret`; of `custom`: `url, headers, secret, history, debounceSeconds`, posted as to webhook-reply with `event: "ai-hook"` and ' +
    '`previousMessages: [{ role, content }]`, oldest first. Takes the place of the configuration before, whose `apiKey`, `secret` and `headers` stay unless others are given, ' +
    'null takes them away, or the requests lead to another host.',
  body: closed({
    profileId: Id,
    provider: Provider,
    config: Type.Optional(
      Type.Object({}, { additionalProperties: true, description: 'Fields of the provider; unknown ones are refused' }),
    ),
    enabled: Type.Optional(Type.Boolean(enabled)),
  }),
  answers: { 200: { body: AiHook, means: 'As it is now.', example: aiHook } },
  example: { profileId: aiHook.profileId, provider: 'openai', config: { model: 'gpt-4o-mini', knowledgeBase: true } },
});

export const GetAiHook = operation({
  ...common,
  name: 'GetAiHook',
  method: 'GET',
  path: '/autoreply/ai-hook/:profileId',
  access: 'automation:read',
  summary: 'Get how AI answers',
  means: '404 before it was configured.',
  params,
  answers: { 200: { body: AiHook, means: 'As it is now.', example: aiHook } },
});
