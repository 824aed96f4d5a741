import { Type, type TProperties } from 'typebox';
import { Id, closed, nullable, oneOf } from '../../../shapes.ts';

const Word = Type.String({ minLength: 1, maxLength: 1024 });
const Host = Type.String({ minLength: 1, maxLength: 253 });
const Url = Type.String({ minLength: 1, maxLength: 2048, description: '`http://` or `https://`' });
const Port = Type.Integer({ minimum: 1, maximum: 65_535 });
const secret = (description: string) =>
  Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 1024, description })));
const Secret = secret('Never returned; left out: stays as it is; null: removed');
const boundSecret = (server: string) =>
  secret(
    `Never returned; left out: stays as it is, but goes when \`${server}\` leads to another server; null: removed`,
  );
const StorageType = oneOf(['local', 's3'], { description: '`local`: where the installation keeps media' });

/** Where media of the organization are to be kept. */
export const StorageSettings = closed(
  {
    type: StorageType,
    endpoint: nullable(Url),
    bucket: nullable(Type.String()),
    region: nullable(Type.String()),
    accessKey: nullable(Type.String()),
    hasSecretKey: Type.Boolean(),
    forcePathStyle: Type.Boolean(),
  },
  { title: 'StorageSettings' },
);
export const GivenStorageSettings = closed(
  {
    type: Type.Optional(StorageType),
    endpoint: Type.Optional(nullable(Url)),
    bucket: Type.Optional(nullable(Type.String({ minLength: 3, maxLength: 63 }))),
    region: Type.Optional(nullable(Word)),
    accessKey: Type.Optional(nullable(Word)),
    secretKey: Secret,
    forcePathStyle: Type.Optional(Type.Boolean()),
  },
  { title: 'StorageSettingsChange' },
);

/** The mail server of the organization. */
export const SmtpSettings = closed(
  {
    host: nullable(Type.String()),
    port: nullable(Port),
    user: nullable(Type.String()),
    hasPassword: Type.Boolean(),
    from: nullable(Type.String()),
    secure: Type.Boolean({
      description:
        'TLS from the first byte (port 465); else by STARTTLS (port 587), without which no user logs in. Where there is a user, the certificate is checked.',
    }),
  },
  { title: 'SmtpSettings' },
);
export const GivenSmtpSettings = closed(
  {
    host: Type.Optional(nullable(Host)),
    port: Type.Optional(nullable(Port)),
    user: Type.Optional(nullable(Word)),
    password: boundSecret('host'),
    from: Type.Optional(nullable(Type.String({ maxLength: 254, format: 'email' }))),
    secure: Type.Optional(Type.Boolean()),
  },
  { title: 'SmtpSettingsChange' },
);

const given = <P extends TProperties>(properties: P) => Type.Optional(closed(properties));

const ProfileIds = Type.Array(Id, {
  minItems: 1,
  maxItems: 200,
  uniqueItems: true,
  description: 'Profiles that it is for; null: all',
});
const Trigger = closed(
  {
    keywords: Type.Array(Type.String({ minLength: 1, maxLength: 100, pattern: String.raw`\S` }), {
      maxItems: 100,
      description: 'One of them begins a session: whole words, in any case; none: any text does',
    }),
  },
  { description: 'What begins a session; null: any text does' },
);
const ExpireMinutes = Type.Number({
  minimum: 0,
  maximum: 525_600,
  description: 'A session in which nobody wrote for so long is over; fractions are allowed; 0: never',
});

/** Other products that the organization uses. */
export const Integrations = closed(
  {
    chatwoot: closed({
      url: nullable(Url),
      hasApiToken: Type.Boolean(),
      accountId: nullable(Type.String()),
      inboxId: nullable(Type.String()),
      enabled: Type.Boolean(),
      profileIds: nullable(ProfileIds),
      hasWebhookSecret: Type.Boolean({ description: 'Whether signatures are checked' }),
      webhookUrl: Type.Optional(
        Type.String({
          description: 'To enter in Chatwoot as the webhook URL of the inbox. Only in the answer that made its token',
        }),
      ),
    }),
    typebot: closed({
      apiUrl: nullable(Url),
      botId: nullable(Type.String()),
      enabled: Type.Boolean(),
      profileIds: nullable(ProfileIds),
      trigger: nullable(Trigger),
      expireMinutes: ExpireMinutes,
      ignoreGroups: Type.Boolean({ description: 'Groups are left alone' }),
    }),
  },
  { title: 'Integrations' },
);
const Numbered = Type.Optional(nullable(Type.Union([Type.String({ format: 'digits' }), Type.Integer({ minimum: 1 })])));
export const GivenIntegrations = closed(
  {
    chatwoot: given({
      url: Type.Optional(nullable(Url)),
      apiToken: boundSecret('url'),
      accountId: Numbered,
      inboxId: Numbered,
      enabled: Type.Optional(Type.Boolean()),
      profileIds: Type.Optional(nullable(ProfileIds)),
      webhookSecret: secret(
        'Of the inbox, by which Chatwoot signs; never returned; left out: stays as it is; null: removed',
      ),
      rotateToken: Type.Optional(
        Type.Literal(true, { description: 'Makes a new token: the URL of before is good no more' }),
      ),
    }),
    typebot: given({
      apiUrl: Type.Optional(
        nullable({ ...Url, description: '`http://` or `https://`; with or without `/api` or `/api/v1` at its end' }),
      ),
      botId: Type.Optional(nullable(Type.String({ format: 'bot-id', description: 'Which bot there: its public id' }))),
      enabled: Type.Optional(Type.Boolean()),
      profileIds: Type.Optional(nullable(ProfileIds)),
      trigger: Type.Optional(nullable(Trigger)),
      expireMinutes: Type.Optional(ExpireMinutes),
      ignoreGroups: Type.Optional(Type.Boolean({ description: 'Groups are left alone; default: true' })),
    }),
  },
  { title: 'IntegrationsChange' },
);

/** The result of a try. */
export const SettingsTest = closed(
  {
    success: Type.Boolean(),
    message: Type.String({ description: 'One sentence; no secret' }),
  },
  { title: 'SettingsTest' },
);
