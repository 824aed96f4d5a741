import type { TestWebhook } from '@messaging-gateway/contracts';
import type { InputOf } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import type { DeliveryTools } from './tools.ts';
import { ownWebhook, timeOf } from '../webhook/handling.ts';

type Answer = Static<NonNullable<(typeof TestWebhook)['answers'][200]['body']>>;

/** Left between the end of the attempt and the request's deadline, milliseconds. */
const answerWithinMs = 1000;

/** Sends one test event and tells what came back. */
export async function testWebhook(
  tools: DeliveryTools,
  { params: { id: webhookId }, caller, context }: InputOf<typeof TestWebhook>,
): Promise<Answer> {
  const webhook = await ownWebhook(tools, webhookId, caller);
  const id = context.resourceId;
  const data = { message: 'This is a test event of the messaging gateway.' };
  const body = JSON.stringify({ id, event: 'test', timestamp: timeOf(tools), profileId: null, data });
  const left = context.deadline - tools.clock.now() - answerWithinMs;
  const timeoutMs = Math.max(1, Math.min(tools.settings.timeoutMs, left));
  const { outcome, statusCode, durationMs, error } = await tools.sender.send(
    webhookId,
    webhook,
    { id, body, traceparent: context.traceparent, attempt: 1 },
    timeoutMs,
  );
  return {
    delivered: outcome === 'delivered',
    statusCode: statusCode ?? null,
    durationMs,
    ...(error !== undefined && { error }),
  };
}
