import { createHash, randomBytes } from 'node:crypto';
import {
  DescribeProfile,
  TryChatwoot,
  TryTypebot,
  type Integrations,
  type TestIntegration,
  type UpdateIntegrations,
} from '@messaging-gateway/contracts';
import { sealedFor } from '@messaging-gateway/runtime';
import type { InputOf } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import type { IdentityTools } from '../tools.ts';
import { changeDocument, integrationsStream, readDocument, type OfOrganization, type Outcome } from './documents.ts';
import { assertTargets } from './targets.ts';

interface Kept {
  readonly chatwoot?: {
    readonly url?: string;
    readonly apiToken?: string;
    readonly accountId?: string | number;
    readonly inboxId?: string | number;
    readonly enabled?: boolean;
    readonly profileIds?: readonly string[];
    readonly webhookSecret?: string;
    /** SHA-256 of the token in the URL for Chatwoot, hex. */
    readonly tokenHash?: string;
  };
  readonly typebot?: {
    readonly apiUrl?: string;
    readonly botId?: string;
    readonly enabled?: boolean;
    readonly profileIds?: readonly string[];
    readonly trigger?: { readonly keywords: readonly string[] };
    readonly expireMinutes?: number;
    readonly ignoreGroups?: boolean;
  };
}
type Shown = Static<typeof Integrations>;

const usualExpireMinutes = 60;

const textOf = (value: string | number | undefined): string | null => (value === undefined ? null : String(value));

const shown = ({ chatwoot = {}, typebot = {} }: Kept): Shown => ({
  chatwoot: {
    url: chatwoot.url ?? null,
    hasApiToken: chatwoot.apiToken !== undefined,
    accountId: textOf(chatwoot.accountId),
    inboxId: textOf(chatwoot.inboxId),
    enabled: chatwoot.enabled ?? false,
    profileIds: chatwoot.profileIds === undefined ? null : [...chatwoot.profileIds],
    hasWebhookSecret: chatwoot.webhookSecret !== undefined,
  },
  typebot: {
    apiUrl: typebot.apiUrl ?? null,
    botId: typebot.botId ?? null,
    enabled: typebot.enabled ?? false,
    profileIds: typebot.profileIds === undefined ? null : [...typebot.profileIds],
    trigger: typebot.trigger === undefined ? null : { keywords: [...typebot.trigger.keywords] },
    expireMinutes: typebot.expireMinutes ?? usualExpireMinutes,
    ignoreGroups: typebot.ignoreGroups ?? true,
  },
});

export const getIntegrations = async (tools: IdentityTools, { caller }: OfOrganization): Promise<Shown> =>
  shown(await readDocument<Kept>(tools, integrationsStream, caller.organizationId));

export async function updateIntegrations(
  tools: IdentityTools,
  input: InputOf<typeof UpdateIntegrations>,
): Promise<Shown> {
  const { chatwoot, typebot } = input.body;
  const targets = { 'body.chatwoot.url': chatwoot?.url, 'body.typebot.apiUrl': typebot?.apiUrl };
  await assertTargets(targets, { allowPrivate: tools.settings.allowPrivateTargets });
  await assertProfiles(tools, input, {
    'body.typebot.profileIds': typebot?.profileIds,
    'body.chatwoot.profileIds': chatwoot?.profileIds,
  });
  if (chatwoot === undefined) return shown(await changeDocument<Kept>(tools, integrationsStream, input.body, input));
  const { organizationId } = input.caller;
  const before = await readDocument<Kept>(tools, integrationsStream, organizationId);
  const { rotateToken, ...fields } = chatwoot;
  const isNew = rotateToken === true || before.chatwoot?.tokenHash === undefined;
  const token = isNew ? randomBytes(32).toString('base64url') : undefined;
  const tokenHash = token === undefined ? {} : { tokenHash: createHash('sha256').update(token).digest('hex') };
  const change = { ...input.body, chatwoot: { ...fields, ...tokenHash } };
  const after = shown(await changeDocument<Kept>(tools, integrationsStream, change, input));
  if (token === undefined) return after;
  const webhookUrl = `${input.context.publicUrl ?? ''}/api/v1/integrations/chatwoot/${organizationId}?token=${token}`;
  return { ...after, chatwoot: { ...after.chatwoot, webhookUrl } };
}

/** @throws Refused NOT_FOUND when one of them is none of the organization's */
async function assertProfiles(
  { ask }: IdentityTools,
  { caller, context }: InputOf<typeof UpdateIntegrations>,
  given: Readonly<Record<string, readonly string[] | null | undefined>>,
): Promise<void> {
  const { organizationId } = caller;
  const { requestId, traceparent } = context;
  const ids = new Set(Object.values(given).flatMap((profileIds) => profileIds ?? []));
  for (const profileId of ids) await ask(DescribeProfile, { organizationId, profileId }, { requestId, traceparent });
}

/** Asks the product for the inbox or the bot that is configured. */
export async function testIntegration(
  tools: IdentityTools,
  { body, caller, context }: InputOf<typeof TestIntegration>,
): Promise<Outcome> {
  const { organizationId } = caller;
  const kept = await readDocument<Kept>(tools, integrationsStream, organizationId);
  const { chatwoot = {}, typebot = {} } = kept;
  const { requestId, traceparent } = context;
  const sealed = { organizationId, settings: sealedFor(tools.encryption, organizationId, kept) };
  if (body.type === 'typebot') {
    const { apiUrl, botId } = typebot;
    if (apiUrl === undefined || botId === undefined) return lacking('apiUrl and botId');
    return tools.ask(TryTypebot, sealed, { requestId, traceparent });
  }
  const { url, apiToken, accountId, inboxId } = chatwoot;
  if (url === undefined || apiToken === undefined || accountId === undefined || inboxId === undefined)
    return lacking('url, apiToken, accountId and inboxId');
  return tools.ask(TryChatwoot, sealed, { requestId, traceparent });
}

const lacking = (fields: string): Outcome => ({ success: false, message: `${fields} are needed.` });
