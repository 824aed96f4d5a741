import { view, type EventsOf } from '@messaging-gateway/event-sourcing';
import { defineEntity, p } from '@mikro-orm/core';
import type { WebhookEvent } from './webhook.ts';
import { webhookIdOf, webhookStream } from './webhook-stream.ts';

/**
 * A webhook as far as matching an event needs it. URL, headers and secrets stay in the journal, encrypted.
 * An empty `profileIds` stands for no filter. `version` is the stream's.
 */
export const WebhookRow = defineEntity({
  name: 'WebhookRow',
  tableName: 'webhooks',
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid().nullable(),
    version: p.integer(),
    events: p.array().columnType('text[]').nullable(),
    profileIds: p.array().columnType('uuid[]').nullable(),
    enabled: p.boolean().nullable(),
    deleted: p.boolean().default(false),
  },
  indexes: [{ name: 'webhooks_organization_id_index', properties: ['organizationId'] }],
});

interface Row {
  id: string;
  version: number;
  organizationId?: string;
  events?: readonly string[];
  profileIds?: readonly string[];
  enabled?: boolean;
  deleted?: boolean;
}

const types = ['WebhookCreated', 'WebhookChanged', 'WebhookSecretSet', 'WebhookDisabled', 'WebhookDeleted'] as const;
type Recorded = EventsOf<typeof webhookStream, (typeof types)[number]>;

/** Writes webhooks as they are now. */
export const webhooksView = view({
  name: 'webhooks',
  of: webhookStream,
  on: types,
  tables: ['webhooks'],
  rows: (events) => [...Map.groupBy(events, ({ stream }) => stream).values()].map(rowOf),
  sql: `
    INSERT INTO {schema}.webhooks AS w (id, organization_id, version, events, profile_ids, enabled, deleted)
    SELECT x.id, x."organizationId", x.version, x.events, x."profileIds", x.enabled, coalesce(x.deleted, false)
      FROM {rows} r CROSS JOIN LATERAL jsonb_to_record(r.row) AS x(
        id uuid, "organizationId" uuid, version int, events text[], "profileIds" uuid[], enabled boolean, deleted boolean)
    ON CONFLICT (id) DO UPDATE SET
      version = excluded.version,
      events = coalesce(excluded.events, w.events),
      profile_ids = coalesce(excluded.profile_ids, w.profile_ids),
      enabled = coalesce(excluded.enabled, w.enabled),
      deleted = excluded.deleted
    WHERE w.version < excluded.version`,
});

/** One row for all events of a command on one webhook: a statement changes a row only once. */
function rowOf(events: readonly Recorded[]): Row {
  return events.reduce<Row>((row, recorded) => ({ ...row, ...changesOf(recorded) }), { id: '', version: 0 });
}

function changesOf(recorded: Recorded): Row {
  const row = { id: webhookIdOf(recorded.stream), version: recorded.version };
  switch (recorded.type) {
    case 'WebhookCreated':
      return { ...row, organizationId: recorded.data.organizationId, ...matching(recorded.data) };
    case 'WebhookChanged':
      return { ...row, ...matching(recorded.data) };
    case 'WebhookDisabled':
      return { ...row, enabled: false };
    case 'WebhookDeleted':
      return { ...row, enabled: false, deleted: true };
    case 'WebhookSecretSet':
      return row;
  }
}

type Matching = Extract<WebhookEvent, { type: 'WebhookChanged' }>['data'];
const matching = ({ events, enabled, profileIds }: Matching) => ({ events, enabled, profileIds: profileIds ?? [] });
