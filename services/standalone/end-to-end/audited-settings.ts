import { createECDH, randomBytes } from 'node:crypto';
import type { AuditedTenant } from './audited-tenant.ts';

/** Changes webhooks, API keys, and the settings of the organization. */
export async function changeSettings(audited: AuditedTenant): Promise<void> {
  const url = 'http://127.0.0.1:9/nobody';
  const hook = await audited.does('webhook.create', 'POST', '/webhooks', { body: { url, events: ['message.sent'] } });
  const about = hook.body.id;
  await audited.does('webhook.update', 'PUT', `/webhooks/${about}`, { body: { events: ['message.failed'] } });
  await audited.does('webhook.rotate_secret', 'POST', `/webhooks/${about}/rotate-secret`, { resource: about });
  await audited.does('webhook.test', 'POST', `/webhooks/${about}/test`, { resource: about });
  const since = new Date(Date.now() - 1000).toISOString();
  await audited.does('webhook.replay', 'POST', `/webhooks/${about}/replay`, { body: { since }, resource: about });
  await audited.does('webhook.delete', 'DELETE', `/webhooks/${about}`, { resource: about });
  const apiKey = await audited.does('api_key.create', 'POST', '/api-keys', { body: { name: 'Short-lived' } });
  await audited.does('api_key.delete', 'DELETE', `/api-keys/${apiKey.body.id}`, { resource: apiKey.body.id });

  await audited.does('settings.update_smtp', 'PUT', '/settings/smtp', {
    body: { host: '127.0.0.1' },
    resource: null,
  });
  await audited.does('settings.update_storage', 'PUT', '/settings/storage', {
    body: { bucket: 'x-y' },
    resource: null,
  });
  await audited.does('integration.update', 'PUT', '/integrations/config', {
    body: { typebot: { botId: 'b' } },
    byKey: true,
    resource: null,
  });

  await audited.does('settings.update_opt_out', 'PUT', '/settings/opt-out', {
    body: { confirmation: 'Done.' },
    resource: null,
  });
  await audited.does('settings.update_ai', 'PUT', '/settings/ai', { body: { monthlyTokens: 5 }, resource: null });
  const body = { phone: '4915187654396' };
  const listed = (await audited.does('suppression.create', 'POST', '/suppressions', { body, byKey: true })).body.id;
  const csv = { body: { csv: 'phone\n4915187654396\n4915187654397\n' }, resource: null };
  await audited.does('suppression.import', 'POST', '/suppressions/import/csv', csv);
  await audited.does('suppression.delete', 'DELETE', `/suppressions/${listed}`, { resource: listed });
  await changePushes(audited);
}

async function changePushes(audited: AuditedTenant): Promise<void> {
  const endpoint = 'https://127.0.0.1:9/push';
  const p256dh = createECDH('prime256v1').generateKeys('base64url');
  const keys = { p256dh, auth: randomBytes(16).toString('base64url') };
  await audited.does('push.subscribe', 'POST', '/notifications/push/subscribe', { body: { endpoint, keys } });
  await audited.does('push.unsubscribe', 'POST', '/notifications/push/unsubscribe', {
    body: { endpoint },
    resource: null,
  });
}
