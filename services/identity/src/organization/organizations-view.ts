import type { InlineView, RecordedEvent } from '@messaging-gateway/event-sourcing';
import { defineEntity, p } from '@mikro-orm/core';

/** Organizations as they are now. */
export const OrganizationRow = defineEntity({
  name: 'OrganizationRow',
  tableName: 'organizations',
  properties: { id: p.uuid().primary(), name: p.text(), createdAt: p.datetime(3), updatedAt: p.datetime(3) },
});

/** Writes organizations as they are now. */
export const organizationsView: InlineView = {
  name: 'organizations',
  tables: ['organizations'],
  rows: (events) => events.flatMap((event) => rowOf(event)),
  sql: `
    INSERT INTO {schema}.organizations (id, name, created_at, updated_at)
    SELECT given.id, given.name, given.at, given.at
      FROM {rows} rows
     CROSS JOIN LATERAL jsonb_to_record(rows.row) given(id uuid, name text, at timestamptz)
    ON CONFLICT (id) DO UPDATE SET name = excluded.name, updated_at = excluded.updated_at`,
};

function rowOf({ type, data, at }: RecordedEvent): object[] {
  if (type !== 'OrganizationFounded' && type !== 'OrganizationRenamed') return [];
  return [{ id: data['organizationId'], name: data['name'], at: at.toISOString() }];
}
