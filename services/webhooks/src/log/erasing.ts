import type { WebhooksTools } from '../tools.ts';

/** Erases what is held of an organization: its key, so that subscriptions read as erased, and every row in the clear. */
export async function eraseOrganization(tools: WebhooksTools, organizationId: string): Promise<Record<string, never>> {
  await tools.store.erase(`organization:${organizationId}`);
  tools.subscriptions.forget();
  await tools.sql.transaction(async (sql) => {
    await sql.query('UPDATE webhooks SET deleted = true, enabled = false WHERE organization_id = $1', [organizationId]);
    for (const table of ['outstanding', 'deliveries', 'event_log']) {
      await sql.query(`DELETE FROM ${table} WHERE organization_id = $1`, [organizationId]);
    }
  });
  return {};
}
