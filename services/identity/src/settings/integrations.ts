import {
  DescribeProfile,
  TryTypebot,
  type Integrations,
  type TestIntegration,
  type UpdateIntegrations,
} from '@messaging-gateway/contracts';
import { sealedFor } from '@messaging-gateway/runtime';
import type { InputOf } from '@messaging-gateway/service';
import { resolvedTargetFault } from '@messaging-gateway/target-guard';
import { guardedPool } from '@messaging-gateway/target-guard/pool';
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
  await assertProfiles(tools, input, { 'body.typebot.profileIds': typebot?.profileIds });
  return shown(await changeDocument<Kept>(tools, integrationsStream, input.body, input));
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
  if (body.type === 'typebot') {
    const { apiUrl, botId } = typebot;
    if (apiUrl === undefined || botId === undefined) return lacking('apiUrl and botId');
    const { requestId, traceparent } = context;
    const settings = sealedFor(tools.encryption, organizationId, kept);
    return tools.ask(TryTypebot, { organizationId, settings }, { requestId, traceparent });
  }
  const { url, apiToken, accountId, inboxId } = chatwoot;
  if (url === undefined || apiToken === undefined || accountId === undefined || inboxId === undefined)
    return lacking('url, apiToken, accountId and inboxId');
  return asked(tools, below(url, `/api/v1/accounts/${accountId}/inboxes/${inboxId}`), { api_access_token: apiToken });
}

const lacking = (fields: string): Outcome => ({ success: false, message: `${fields} are needed.` });

const below = (base: string, path: string): string => `${base.replace(/\/+$/, '')}${path}`;

const timeoutMs = 10_000;

async function asked(tools: IdentityTools, target: string, headers: Record<string, string>): Promise<Outcome> {
  const policy = { allowPrivate: tools.settings.allowPrivateTargets };
  const fault = await resolvedTargetFault(target, policy);
  if (fault !== undefined) return { success: false, message: `The URL ${fault}.` };
  const { origin, pathname, search } = new URL(target);
  const times = {
    connectTimeoutMs: timeoutMs,
    headersTimeoutMs: timeoutMs,
    bodyTimeoutMs: timeoutMs,
    keepAliveMs: 1000,
  };
  const pool = guardedPool(origin, policy, times);
  try {
    const { statusCode, body } = await pool.request({ method: 'GET', path: `${pathname}${search}`, headers });
    await body.dump();
    const success = statusCode >= 200 && statusCode < 300;
    return { success, message: success ? 'It answers.' : `It answered ${statusCode}.` };
  } catch (error) {
    return { success: false, message: `It cannot be reached: ${(error as { code?: string }).code ?? 'no answer'}` };
  } finally {
    await pool.close();
  }
}
