import { DescribeProfile, type Caller, type CreateWebhook, type Webhook } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import type { InputOf } from '@messaging-gateway/service';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Static } from 'typebox';
import type { WebhookTools } from './tools.ts';
import { WebhookRow } from './webhooks-view.ts';
import { checkGiven } from './checking.ts';
import { handleWebhook, timeOf } from './handling.ts';
import { scopeOf } from './scope.ts';
import { shownWebhook } from './showing.ts';

/** Webhooks of an organization, at most. Requests at the same moment may exceed it by a few. */
const mostWebhooks = 100;

export async function createWebhook(
  tools: WebhookTools,
  input: InputOf<typeof CreateWebhook>,
): Promise<Static<typeof Webhook>> {
  const { body, caller, context } = input;
  const { secret, ...settings } = body;
  await checkGiven(body, tools.settings.allowPrivateTargets);
  await requireProfiles(tools, settings.profileIds, caller);
  await assertMayHaveMore(context.em(), context.resourceId);
  const webhook = await handleWebhook(
    tools,
    context.resourceId,
    {
      type: 'CreateWebhook',
      by: scopeOf(caller),
      settings: { payloadVersion: 2, ...settings, enabled: settings.enabled ?? true, reachedAt: context.publicUrl },
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
  tools: WebhookTools,
  profileIds: readonly string[] | null | undefined,
  caller: Caller,
): Promise<void> {
  const { organizationId } = caller;
  await Promise.all(
    [...new Set(profileIds ?? [])].map((profileId) => tools.ask(DescribeProfile, { organizationId, profileId })),
  );
}

async function assertMayHaveMore(em: EntityManager, id: string): Promise<void> {
  if ((await em.count(WebhookRow, { deleted: false, id: { $ne: id } })) >= mostWebhooks) {
    throw new Refused('CONFLICT', `An organization has at most ${mostWebhooks} webhooks.`);
  }
}
