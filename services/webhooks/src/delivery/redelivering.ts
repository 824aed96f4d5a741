import type { BodyOf, Page, ReplayWebhook, WebhookDelivery } from '@messaging-gateway/contracts';
import { invalid, Refused } from '@messaging-gateway/messaging';
import { decodeCursor, pageOf, type OperationInput } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import type { WebhooksTools } from '../tools.ts';
import { ownEnabledWebhook, ownWebhook } from '../webhook/handling.ts';
import { deliverAgain, deliveriesOf, deliveryOf, replay, replayLimit, shownDelivery } from './deliveries.ts';

type Shown = Static<typeof WebhookDelivery>;

export async function listDeliveries(
  tools: WebhooksTools,
  { params, query, caller }: OperationInput<unknown>,
): Promise<Page<Shown>> {
  const id = params['id'] ?? '';
  await ownWebhook(tools, id, caller);
  const limit = Number(query['limit'] ?? 50);
  const place = decodeCursor(query['cursor'], ['number']);
  const below = place === undefined ? undefined : String(Math.trunc(Number(place[0])));
  const rows = await deliveriesOf(tools.sql, id, caller, {
    status: query['status'] as string | undefined,
    below,
    limit: limit + 1,
  });
  return pageOf(rows, limit, ({ sequence }) => [Number(sequence)], shownDelivery);
}

/** Delivers the same body under the same id once more, with all attempts anew. */
export async function redeliver(tools: WebhooksTools, { params, caller }: OperationInput<unknown>): Promise<Shown> {
  const id = params['id'] ?? '';
  const eventId = params['deliveryId'] ?? '';
  await ownEnabledWebhook(tools, id, caller);
  if ((await deliveryOf(tools.sql, id, eventId, caller)) === undefined)
    throw new Refused('NOT_FOUND', 'There is no such delivery.');
  const kept = await deliverAgain(tools.sql, id, eventId, tools.clock.now());
  const again = kept ? await deliveryOf(tools.sql, id, eventId, caller) : undefined;
  if (again === undefined) throw new Refused('NOT_FOUND', 'The event is no longer kept.');
  tools.dispatcher.wake();
  return shownDelivery(again);
}

/** Every kept event of a time span that the webhook subscribes to, again. */
export async function replayEvents(
  tools: WebhooksTools,
  { params, body, caller }: OperationInput<BodyOf<typeof ReplayWebhook>>,
): Promise<{ count: number }> {
  const id = params['id'] ?? '';
  await ownEnabledWebhook(tools, id, caller);
  const now = tools.clock.now();
  const until = body.until ?? new Date(now).toISOString();
  if (Date.parse(until) < Date.parse(body.since)) {
    throw invalid([{ path: 'body.until', message: 'must not lie before since' }]);
  }
  const count = await replay(tools.sql, id, body.since, until, now);
  if (count === undefined)
    throw new Refused('CONFLICT', `The time span holds more than ${replayLimit} events: replay parts of it.`);
  tools.dispatcher.wake();
  return { count };
}
