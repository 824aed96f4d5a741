import type { InlineView, RecordedEvent } from '@messaging-gateway/event-sourcing';
import type { Permission } from '@messaging-gateway/contracts';
import { defineEntity, p } from '@mikro-orm/core';
import type { OrganizationEvent } from '../organization/organization.ts';

/** Roles that organizations have made. */
export const RoleRow = defineEntity({
  name: 'RoleRow',
  tableName: 'roles',
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    name: p.text(),
    description: p.text().nullable(),
    permissions: p.array<Permission>().columnType('text[]'),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
});

/** Writes roles as they are now. */
export const rolesView: InlineView = {
  name: 'roles',
  tables: ['roles'],
  rows: (events) => events.flatMap((event) => rowOf(event)),
  sql: `
    INSERT INTO {schema}.roles (id, organization_id, name, description, permissions, created_at, updated_at)
    SELECT given.id, given.organization_id, given.name, given.description, given.permissions, given.at, given.at
      FROM {rows} rows
     CROSS JOIN LATERAL jsonb_to_record(rows.row) given(id uuid, organization_id uuid, name text, description text,
                                                        permissions text[], at timestamptz)
    ON CONFLICT (id) DO UPDATE
       SET name = excluded.name, description = excluded.description, permissions = excluded.permissions,
           updated_at = excluded.updated_at`,
};

/** Takes deleted roles out. */
export const rolesDeletedView: InlineView = {
  name: 'roles_deleted',
  tables: ['roles'],
  rows: (events) => events.flatMap((event) => (event.type === 'RoleDeleted' ? [{ id: event.data['roleId'] }] : [])),
  sql: `DELETE FROM {schema}.roles USING {rows} WHERE id = (row->>'id')::uuid`,
};

function rowOf(recorded: RecordedEvent): object[] {
  const event = { type: recorded.type, data: recorded.data } as unknown as OrganizationEvent;
  if (event.type !== 'RoleCreated' && event.type !== 'RoleChanged') return [];
  const { roleId, name, description, permissions } = event.data;
  return [
    {
      id: roleId,
      organization_id: recorded.metadata.organizationId,
      name,
      description,
      permissions,
      at: recorded.at.toISOString(),
    },
  ];
}
