import { view } from '@messaging-gateway/event-sourcing';
import type { Permission } from '@messaging-gateway/contracts';
import { defineEntity, p } from '@mikro-orm/core';
import { organizationStream } from './organization.ts';

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
export const rolesView = view({
  name: 'roles',
  of: organizationStream,
  on: ['RoleCreated', 'RoleChanged'],
  tables: ['roles'],
  rows: (events) =>
    events.map(({ metadata: { organizationId: organization_id }, data, at }) => {
      const { roleId: id, name, description, permissions } = data;
      return { id, organization_id, name, description, permissions, at: at.toISOString() };
    }),
  sql: `
    INSERT INTO {schema}.roles (id, organization_id, name, description, permissions, created_at, updated_at)
    SELECT given.id, given.organization_id, given.name, given.description, given.permissions, given.at, given.at
      FROM {rows} rows
     CROSS JOIN LATERAL jsonb_to_record(rows.row) given(id uuid, organization_id uuid, name text, description text,
                                                        permissions text[], at timestamptz)
    ON CONFLICT (id) DO UPDATE
       SET name = excluded.name, description = excluded.description, permissions = excluded.permissions,
           updated_at = excluded.updated_at`,
});

/** Takes deleted roles out. */
export const rolesDeletedView = view({
  name: 'roles_deleted',
  of: organizationStream,
  on: ['RoleDeleted'],
  tables: ['roles'],
  rows: (events) => events.map(({ data }) => ({ id: data.roleId })),
  sql: `DELETE FROM {schema}.roles USING {rows} WHERE id = (row->>'id')::uuid`,
});
