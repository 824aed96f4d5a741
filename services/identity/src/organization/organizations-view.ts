import { view } from '@messaging-gateway/event-sourcing';
import { defineEntity, p } from '@mikro-orm/core';
import { organizationStream } from './organization.ts';

/** Organizations as they are now. */
export const OrganizationRow = defineEntity({
  name: 'OrganizationRow',
  tableName: 'organizations',
  properties: { id: p.uuid().primary(), name: p.text(), createdAt: p.datetime(3), updatedAt: p.datetime(3) },
});

/** Writes organizations as they are now. */
export const organizationsView = view({
  name: 'organizations',
  of: organizationStream,
  on: ['OrganizationFounded', 'OrganizationRenamed'],
  tables: ['organizations'],
  rows: (events) => events.map(({ data: { organizationId: id, name }, at }) => ({ id, name, at: at.toISOString() })),
  sql: `
    INSERT INTO {schema}.organizations (id, name, created_at, updated_at)
    SELECT given.id, given.name, given.at, given.at
      FROM {rows} rows
     CROSS JOIN LATERAL jsonb_to_record(rows.row) given(id uuid, name text, at timestamptz)
    ON CONFLICT (id) DO UPDATE SET name = excluded.name, updated_at = excluded.updated_at`,
});
