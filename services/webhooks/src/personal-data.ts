import { EraseWebhooksData, ReadWebhooksData } from '@messaging-gateway/contracts';
import { personalData, type InternalRow } from '@messaging-gateway/service';
import { eraseOrganization } from './log/erasing.ts';
import type { WebhooksTools } from './tools.ts';
import { shownWebhook } from './webhook/showing.ts';

/** Subscriptions, and the events with their bodies; all of them belong to organizations. */
export const webhooksData = (tools: WebhooksTools): InternalRow[] =>
  personalData(
    tools,
    { erase: EraseWebhooksData, read: ReadWebhooksData },
    {
      first: async ({ organizationId, wholeOrganization }) => {
        if (wholeOrganization) await eraseOrganization(tools, organizationId);
      },
      tables: [],
      sections: [
        {
          name: 'webhooks',
          ofOrganization: true,
          sql: webhooks,
          show: async ({ id, version }) => {
            const webhook = await tools.subscriptions.get(String(id), Number(version));
            return webhook && shownWebhook(String(id), webhook);
          },
        },
        { name: 'events', ofOrganization: true, sql: events },
      ],
    },
  );

const webhooks = `
  SELECT id::text AS key, jsonb_build_object('id', id, 'version', version) AS item
    FROM webhooks WHERE organization_id = $1 AND $2::uuid IS NOT NULL AND NOT deleted AND id::text > $3
   ORDER BY id::text LIMIT $4`;

/** In the order of their numbers, which keys hold with leading zeros. */
const events = `
  SELECT lpad(sequence::text, 20, '0') AS key, body::jsonb AS item
    FROM event_log WHERE organization_id = $1 AND $2::uuid IS NOT NULL AND sequence > coalesce(nullif($3, '')::bigint, 0)
   ORDER BY sequence LIMIT $4`;
