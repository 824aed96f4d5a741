import type { TObject } from 'typebox';
import { operation, organizationLimits } from '../../../contract.ts';
import { closed, oneOf } from '../../../shapes.ts';
import {
  GivenIntegrations,
  GivenSmtpSettings,
  GivenStorageSettings,
  Integrations,
  SettingsTest,
  SmtpSettings,
  StorageSettings,
} from './shapes.ts';

const common = { owner: 'identity', tag: 'Settings' } as const;

const reading = <B extends TObject>(name: string, path: string, summary: string, body: B, example: unknown) =>
  operation({
    ...common,
    name,
    path,
    summary,
    method: 'GET',
    access: 'settings:read',
    means: 'Without secrets: whether there is one is said by `has…`.',
    answers: { 200: { body, means: 'As they are now.', example } },
  });

const smtpExample = {
  host: 'smtp.example.com',
  port: 465,
  user: 'mailer',
  hasPassword: true,
  from: 'us@example.com',
  secure: true,
};
const storageExample = {
  type: 's3',
  endpoint: 'https://s3.example.com',
  bucket: 'media',
  region: 'us-east-1',
  accessKey: 'key',
  hasSecretKey: true,
  forcePathStyle: true,
};
const integrationsExample = {
  chatwoot: {
    url: 'https://chat.example.com',
    hasApiToken: true,
    accountId: '1',
    inboxId: '2',
    enabled: true,
    profileIds: null,
    hasWebhookSecret: false,
  },
  typebot: {
    apiUrl: 'https://typebot.example.com',
    botId: 'my-bot-a1b2c3',
    enabled: true,
    profileIds: null,
    trigger: { keywords: ['menu'] },
    expireMinutes: 60,
    ignoreGroups: true,
  },
};
const tested = {
  200: {
    body: SettingsTest,
    means: 'What it came to.',
    example: { success: true, message: 'The mail server took the login.' },
  },
};

export const GetStorageSettings = reading(
  'GetStorageSettings',
  '/settings/storage',
  'Get storage settings',
  StorageSettings,
  storageExample,
);

export const UpdateStorageSettings = operation({
  ...common,
  name: 'UpdateStorageSettings',
  method: 'PUT',
  path: '/settings/storage',
  access: 'settings:update',
  refusesKeysLimitedIn: organizationLimits,
  audit: { action: 'settings.update_storage', resourceParameter: null },
  summary: 'Update storage settings',
  means:
    'Changes the fields that are given. They are kept and can be tested; media still lie in the store of the installation, whatever stands here.',
  body: GivenStorageSettings,
  answers: { 200: { body: StorageSettings, means: 'As they are now.', example: storageExample } },
  example: { type: 's3', endpoint: 'https://s3.example.com', bucket: 'media', accessKey: 'key', secretKey: 'secret' },
});

export const TestStorageSettings = operation({
  ...common,
  name: 'TestStorageSettings',
  method: 'POST',
  path: '/settings/storage/test',
  access: 'settings:update',
  refusesKeysLimitedIn: organizationLimits,
  audit: false,
  summary: 'Test storage configuration',
  means:
    'Writes a small object into the bucket, reads it and deletes it. Fields that are given are tried instead of those kept.',
  body: GivenStorageSettings,
  bodyOptional: true,
  answers: tested,
  example: { bucket: 'media' },
});

export const GetSmtpSettings = reading(
  'GetSmtpSettings',
  '/settings/smtp',
  'Get SMTP settings',
  SmtpSettings,
  smtpExample,
);

export const UpdateSmtpSettings = operation({
  ...common,
  name: 'UpdateSmtpSettings',
  method: 'PUT',
  path: '/settings/smtp',
  access: 'settings:update',
  refusesKeysLimitedIn: organizationLimits,
  audit: { action: 'settings.update_smtp', resourceParameter: null },
  summary: 'Update SMTP settings',
  means:
    'Changes the fields that are given. With a host, invitations are mailed by this server, and one-time codes that take the secondary channel before the one of the installation.',
  body: GivenSmtpSettings,
  answers: { 200: { body: SmtpSettings, means: 'As they are now.', example: smtpExample } },
  example: { host: 'smtp.example.com', port: 465, secure: true, user: 'mailer', password: 'secret' },
});

export const TestSmtpSettings = operation({
  ...common,
  name: 'TestSmtpSettings',
  method: 'POST',
  path: '/settings/smtp/test',
  access: 'settings:update',
  refusesKeysLimitedIn: organizationLimits,
  audit: false,
  summary: 'Test SMTP configuration',
  means: 'Connects and logs in; sends no mail. Fields that are given are tried instead of those kept.',
  body: GivenSmtpSettings,
  bodyOptional: true,
  answers: tested,
  example: { port: 587 },
});

export const GetIntegrations = reading(
  'GetIntegrations',
  '/integrations/config',
  'Get integration config',
  Integrations,
  integrationsExample,
);

export const UpdateIntegrations = operation({
  ...common,
  name: 'UpdateIntegrations',
  method: 'PUT',
  path: '/integrations/config',
  access: 'settings:update',
  refusesKeysLimitedIn: organizationLimits,
  audit: { action: 'integration.update', resourceParameter: null },
  summary: 'Update integration config',
  means:
    'Changes the fields that are given. Typebot answers messages that nothing else answers (after flows, rules, webhook-reply and ai-hook), a ' +
    'session for each chat. Chatwoot shows what is said in chats in an API inbox, and its agents answer there: enter `webhookUrl`, which the first answer with `chatwoot` ' +
    'has, in that inbox.',
  body: GivenIntegrations,
  answers: { 200: { body: Integrations, means: 'As they are now.', example: integrationsExample } },
  example: {
    chatwoot: { url: 'https://chat.example.com', apiToken: 'token', accountId: 1, inboxId: 2, enabled: true },
  },
});

export const TestIntegration = operation({
  ...common,
  name: 'TestIntegration',
  method: 'POST',
  path: '/integrations/test',
  access: 'settings:update',
  refusesKeysLimitedIn: organizationLimits,
  audit: false,
  summary: 'Test integration connectivity',
  means: 'Starts a session of the bot, or asks for the inbox, that is configured, as the bridge does.',
  body: closed({ type: oneOf(['chatwoot', 'typebot']) }),
  answers: tested,
  example: { type: 'chatwoot' },
});
