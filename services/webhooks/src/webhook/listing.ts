import type { Page, Webhook } from '@messaging-gateway/contracts';
import { decodeCursor, pageOf, type OperationInput } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import type { WebhooksTools } from '../tools.ts';
import { ownWebhook } from './handling.ts';
import { shownWebhook } from './showing.ts';
import { WebhookRow } from './webhooks-view.ts';

export async function getWebhook(
  tools: WebhooksTools,
  { params, caller }: OperationInput<unknown>,
): Promise<Static<typeof Webhook>> {
  const id = params['id'] ?? '';
  return shownWebhook(id, await ownWebhook(tools, id, caller));
}

/** The organization's webhooks, oldest first; a key limited to some profiles sees those limited to these. */
export async function listWebhooks(
  tools: WebhooksTools,
  { caller, query }: OperationInput<unknown>,
): Promise<Page<Static<typeof Webhook>>> {
  const limit = Number(query['limit'] ?? 50);
  const place = decodeCursor(query['cursor'], ['id']);
  const visible = {
    organizationId: caller.organizationId,
    deleted: false,
    ...(caller.profileIds && { profileIds: { $contained: [...caller.profileIds], $ne: [] } }),
  };
  const em = tools.em(caller.organizationId);
  const where = place === undefined ? visible : { ...visible, id: { $gt: String(place[0]) } };
  const rows = await em.find(WebhookRow, where, { orderBy: { id: 'asc' }, limit: limit + 1 });
  const shown = await Promise.all(
    rows.map(async ({ id, version }) => ({ id, webhook: await tools.subscriptions.get(id, version) })),
  );
  const page = pageOf(
    shown,
    limit,
    ({ id }) => [id],
    ({ id, webhook }) => webhook && shownWebhook(id, webhook),
  );
  // Deleted between the two reads.
  const items = page.items.filter((item) => item !== undefined);
  return { items, nextCursor: page.nextCursor, total: await em.count(WebhookRow, visible) };
}
