import type { GetWebhook, ListWebhooks, Page, Webhook } from '@messaging-gateway/contracts';
import type { InputOf, PersonalSection } from '@messaging-gateway/service';
import { entityPage } from '@messaging-gateway/service/entities';
import type { Static } from 'typebox';
import { ownWebhook } from './handling.ts';
import { shownWebhook } from './showing.ts';
import type { Subscriptions } from './subscriptions.ts';
import type { WebhookTools } from './tools.ts';
import { WebhookRow } from './webhooks-view.ts';

export async function getWebhook(
  tools: WebhookTools,
  { params: { id }, caller }: InputOf<typeof GetWebhook>,
): Promise<Static<typeof Webhook>> {
  return shownWebhook(id, await ownWebhook(tools, id, caller));
}

/** The organization's webhooks, oldest first; a key limited to some profiles sees those limited to these. */
export async function listWebhooks(
  tools: WebhookTools,
  { caller, query, context }: InputOf<typeof ListWebhooks>,
): Promise<Page<Static<typeof Webhook>>> {
  const visible = {
    deleted: false,
    ...(caller.profileIds && { profileIds: { $contained: [...caller.profileIds], $ne: [] } }),
  };
  const em = context.em();
  const page = await entityPage(em, WebhookRow, { where: visible, order: [{ property: 'id', kind: 'id' }], query });
  const shown = await Promise.all(
    page.items.map(async ({ id, version }) => {
      const webhook = await tools.subscriptions.get(id, version);
      // Deleted between the two reads.
      return webhook === undefined ? [] : [shownWebhook(id, webhook)];
    }),
  );
  return { ...page, items: shown.flat(), total: await em.count(WebhookRow, visible) };
}

/** For the export of an organization's data. */
export const webhooksSection = (subscriptions: Subscriptions): PersonalSection => ({
  name: 'webhooks',
  ofOrganization: true,
  sql: `
    SELECT id::text AS key, jsonb_build_object('id', id, 'version', version) AS item
      FROM webhooks WHERE organization_id = $1 AND $2::uuid IS NOT NULL AND NOT deleted AND id::text > $3
     ORDER BY id::text LIMIT $4`,
  show: async ({ id, version }) => {
    const webhook = await subscriptions.get(String(id), Number(version));
    return webhook && shownWebhook(String(id), webhook);
  },
});
