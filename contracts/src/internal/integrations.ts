import { Type } from 'typebox';
import { internal } from '../contract.ts';
import { SettingsTest } from '../operations/identity/settings/shapes.ts';
import { Count, Id, closed, nullable } from '../shapes.ts';

const Sealed = Type.String({
  contentEncoding: 'base64',
  description: 'The settings as JSON, secrets too, sealed with `ENCRYPTION_KEY` for this organization (`sealedFor`)',
});

export const ReadIntegrations = internal({
  name: 'ReadIntegrations',
  owner: 'identity',
  means:
    'What an organization has set for other products, with its secrets: never in the clear on a broker. `version` 0: nothing yet.',
  body: closed({ organizationId: Id }),
  answer: closed({ version: Count, settings: Sealed }),
});

export const ListIntegrations = internal({
  name: 'ListIntegrations',
  owner: 'identity',
  means:
    'Organizations that have set something for other products, in the order of their ids, for whoever begins to follow them.',
  body: closed({ after: Type.Optional(Id), limit: Type.Integer({ minimum: 1, maximum: 500 }) }),
  answer: closed({ organizationIds: Type.Array(Id), next: nullable(Id) }),
});

export const TryTypebot = internal({
  name: 'TryTypebot',
  owner: 'automation',
  means: 'Starts a session of the bot that is configured, in the way in which chats start one.',
  body: closed({ organizationId: Id, settings: Sealed }),
  answer: SettingsTest,
  timeoutMs: 15_000,
});

export const TryChatwoot = internal({
  name: 'TryChatwoot',
  owner: 'webhooks',
  means: 'Asks Chatwoot for the inbox that is configured, in the way in which the bridge asks everything.',
  body: closed({ organizationId: Id, settings: Sealed }),
  answer: SettingsTest,
  timeoutMs: 15_000,
});
