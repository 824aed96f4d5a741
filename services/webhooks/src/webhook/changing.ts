import { randomBytes } from 'node:crypto';
import type { BodyOf, RotateWebhookSecret, UpdateWebhook, Webhook } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import type { OperationInput } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import { startAfresh } from '../delivery/outstanding.ts';
import type { WebhooksTools } from '../tools.ts';
import { checkGiven } from './checking.ts';
import { requireProfiles } from './creating.ts';
import { handleWebhook, ownWebhook, timeOf } from './handling.ts';
import { scopeOf } from './scope.ts';
import { shownWebhook } from './showing.ts';

const overlapMs = 24 * 3_600_000;
const secretBytes = 32;

export async function updateWebhook(
  tools: WebhooksTools,
  input: OperationInput<BodyOf<typeof UpdateWebhook>>,
): Promise<Static<typeof Webhook>> {
  const { params, body, caller } = input;
  const id = params['id'] ?? '';
  const before = await ownWebhook(tools, id, caller);
  await checkGiven(body, tools.settings.allowPrivateTargets, before);
  await requireProfiles(tools, body.profileIds, caller);
  const webhook = await handleWebhook(
    tools,
    id,
    { type: 'ChangeWebhook', by: scopeOf(caller), changes: body, at: timeOf(tools) },
    input,
  );
  if (webhook === undefined) throw new Refused('NOT_FOUND', 'There is no such webhook.');
  if (body.enabled === true || body.url !== undefined) await startAfresh(tools.sql, id, tools.clock.now());
  // What waits for a webhook that was just disabled ends now, not at the next look.
  tools.dispatcher.wake();
  return shownWebhook(id, webhook);
}

/** The only answer that ever holds a secret. */
export async function rotateSecret(
  tools: WebhooksTools,
  input: OperationInput<BodyOf<typeof RotateWebhookSecret> | undefined>,
): Promise<{ secret: string }> {
  const { params, body, caller, context } = input;
  await checkGiven({ secret: body?.secret }, tools.settings.allowPrivateTargets);
  const secret = body?.secret ?? `whsec_${randomBytes(secretBytes).toString('base64')}`;
  const previousUntil = new Date(tools.clock.now() + overlapMs).toISOString();
  const webhook = await handleWebhook(
    tools,
    params['id'] ?? '',
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

export async function deleteWebhook(tools: WebhooksTools, input: OperationInput<unknown>): Promise<void> {
  const id = input.params['id'] ?? '';
  await handleWebhook(tools, id, { type: 'DeleteWebhook', by: scopeOf(input.caller), at: timeOf(tools) }, input);
  tools.dispatcher.wake();
}
