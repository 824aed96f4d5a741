import type { Caller } from '@messaging-gateway/contracts';
import type { EventMetadata } from '@messaging-gateway/event-sourcing';
import { Refused } from '@messaging-gateway/messaging';
import { actorOf, type OperationInput } from '@messaging-gateway/service';
import type { WebhookTools } from './tools.ts';
import { scopeOf } from './scope.ts';
import { requireOwn, type ActiveWebhook, type WebhookCommand } from './webhook.ts';
import { webhookStream } from './webhook-stream.ts';

type Asked = Pick<OperationInput<unknown>, 'caller' | 'context'>;

/** Carries out a command on a webhook and answers how it stands then; undefined once it is deleted. */
export async function handleWebhook(
  tools: Pick<WebhookTools, 'store'>,
  id: string,
  command: WebhookCommand,
  asked: Asked,
): Promise<ActiveWebhook | undefined> {
  const { state } = await tools.store.handle(webhookStream, id, command, {
    metadata: metadataOf(asked),
    onAppended: asked.context.appended,
  });
  return state.status === 'active' ? state : undefined;
}

/** The caller's webhook. @throws Refused NOT_FOUND, FORBIDDEN */
export async function ownWebhook(
  tools: Pick<WebhookTools, 'store'>,
  id: string,
  caller: Caller,
): Promise<ActiveWebhook> {
  const { state } = await tools.store.load(webhookStream, id);
  return requireOwn(state, scopeOf(caller));
}

/** The caller's webhook, which must be enabled: what is disabled delivers nothing. @throws Refused CONFLICT too */
export async function ownEnabledWebhook(tools: Pick<WebhookTools, 'store'>, id: string, caller: Caller): Promise<void> {
  const { enabled } = await ownWebhook(tools, id, caller);
  if (!enabled) throw new Refused('CONFLICT', 'The webhook is disabled: enable it first.');
}

export const timeOf = (tools: Pick<WebhookTools, 'clock'>): string => new Date(tools.clock.now()).toISOString();

function metadataOf({ caller, context }: Asked): EventMetadata {
  const { organizationId } = caller;
  return {
    organizationId,
    subject: `organization:${organizationId}`,
    actor: actorOf(caller),
    requestId: context.requestId,
    ...(context.traceparent !== undefined && { traceparent: context.traceparent }),
  };
}
