import { timeOf } from '../webhook/handling.ts';
import { webhookStream } from '../webhook/webhook-stream.ts';
import { WebhookRow } from '../webhook/webhooks-view.ts';
import type { EventLogTools } from './tools.ts';

/**
 * Erases what is held of an organization: its webhooks end, its key is destroyed, so that their URLs, headers and
 * secrets read as erased, and every row in the clear goes. Asking again does no harm.
 */
export async function eraseOrganization(tools: EventLogTools, organizationId: string): Promise<void> {
  const subject = `organization:${organizationId}`;
  const webhooks = await tools.em(organizationId).find(WebhookRow, { deleted: false }, { fields: ['id'] });
  const command = { type: 'DeleteWebhook', by: { organizationId }, at: timeOf(tools) } as const;
  const metadata = { organizationId, subject, actor: 'service:webhooks' };
  await Promise.all(webhooks.map(({ id }) => tools.store.handle(webhookStream, id, command, { metadata })));
  await tools.store.erase(subject);
  tools.subscriptions.forget();
  await tools.sql.transaction(async (sql) => {
    for (const table of ['outstanding', 'deliveries', 'event_log', 'log_removed']) {
      await sql.query(`DELETE FROM ${table} WHERE organization_id = $1`, [organizationId]);
    }
  });
}
