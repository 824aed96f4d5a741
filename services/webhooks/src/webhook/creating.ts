import {
  DescribeProfile,
  type BodyOf,
  type Caller,
  type CreateWebhook,
  type Webhook,
} from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import type { OperationInput } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import type { WebhooksTools } from '../tools.ts';
import { checkGiven } from './checking.ts';
import { handleWebhook, timeOf } from './handling.ts';
import { scopeOf } from './scope.ts';
import { shownWebhook } from './showing.ts';

/** Webhooks of an organization, at most. Requests at the same moment may exceed it by a few. */
const mostWebhooks = 100;

export async function createWebhook(
  tools: WebhooksTools,
  input: OperationInput<BodyOf<typeof CreateWebhook>>,
): Promise<Static<typeof Webhook>> {
  const { body, caller, context } = input;
  const { secret, ...settings } = body;
  await checkGiven(body, tools.settings.allowPrivateTargets);
  await requireProfiles(tools, settings.profileIds, caller);
  await requireRoom(tools, caller.organizationId, context.resourceId);
  const webhook = await handleWebhook(
    tools,
    context.resourceId,
    {
      type: 'CreateWebhook',
      by: scopeOf(caller),
      settings: { ...settings, enabled: settings.enabled ?? true },
      secret,
      at: timeOf(tools),
    },
    input,
  );
  if (webhook === undefined) throw new Refused('CONFLICT', 'The webhook has been deleted.');
  return shownWebhook(context.resourceId, webhook);
}

/** @throws Refused NOT_FOUND for a profile that the organization does not have */
export async function requireProfiles(
  tools: WebhooksTools,
  profileIds: readonly string[] | null | undefined,
  caller: Caller,
): Promise<void> {
  const { organizationId } = caller;
  await Promise.all(
    [...new Set(profileIds ?? [])].map((profileId) => tools.ask(DescribeProfile, { organizationId, profileId })),
  );
}

async function requireRoom(tools: WebhooksTools, organizationId: string, id: string): Promise<void> {
  const [found] = await tools.sql.query<{ count: string }>(
    'SELECT count(*) FROM webhooks WHERE organization_id = $1 AND NOT deleted AND id <> $2',
    [organizationId, id],
  );
  if (Number(found?.count) >= mostWebhooks) {
    throw new Refused('CONFLICT', `An organization has at most ${mostWebhooks} webhooks.`);
  }
}
