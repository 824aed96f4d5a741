import { randomBytes } from 'node:crypto';
import type { DeleteWebhook, RotateWebhookSecret, UpdateWebhook, Webhook } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import type { InputOf } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import type { WebhookTools } from './tools.ts';
import { checkGiven } from './checking.ts';
import { requireProfiles } from './creating.ts';
import { handleWebhook, ownWebhook, timeOf } from './handling.ts';
import { scopeOf } from './scope.ts';
import { shownWebhook } from './showing.ts';

const overlapMs = 24 * 3_600_000;
const secretBytes = 32;

export async function updateWebhook(
  tools: WebhookTools,
  input: InputOf<typeof UpdateWebhook>,
): Promise<Static<typeof Webhook>> {
  const { params, body, caller, context } = input;
  const { id } = params;
  const changes = { ...body, reachedAt: context.publicUrl };
  const before = await ownWebhook(tools, id, caller);
  await checkGiven(body, tools.settings.allowPrivateTargets, before);
  await requireProfiles(tools, body.profileIds, caller);
  const webhook = await handleWebhook(
    tools,
    id,
    { type: 'ChangeWebhook', by: scopeOf(caller), changes, at: timeOf(tools) },
    input,
  );
  if (webhook === undefined) throw new Refused('NOT_FOUND', 'There is no such webhook.');
  await tools.changed({ webhookId: id, isAfresh: body.enabled === true || body.url !== undefined });
  return shownWebhook(id, webhook);
}

/** The only answer that ever holds a secret. */
export async function rotateSecret(
  tools: WebhookTools,
  input: InputOf<typeof RotateWebhookSecret>,
): Promise<{ secret: string }> {
  const { params, body, caller, context } = input;
  await checkGiven({ secret: body?.secret }, tools.settings.allowPrivateTargets);
  const secret = body?.secret ?? `whsec_${randomBytes(secretBytes).toString('base64')}`;
  const previousUntil = new Date(tools.clock.now() + overlapMs).toISOString();
  const webhook = await handleWebhook(
    tools,
    params.id,
    {
      type: 'RotateSecret',
      by: scopeOf(caller),
      request: context.resourceId,
      secret,
      at: timeOf(tools),
      previousUntil,
    },
    input,
  );
  return { secret: webhook?.secret ?? secret };
}

export async function deleteWebhook(tools: WebhookTools, input: InputOf<typeof DeleteWebhook>): Promise<void> {
  const { id } = input.params;
  await handleWebhook(tools, id, { type: 'DeleteWebhook', by: scopeOf(input.caller), at: timeOf(tools) }, input);
  await tools.changed({ webhookId: id, isAfresh: false });
}
