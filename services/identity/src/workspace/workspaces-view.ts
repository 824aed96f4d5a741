import { view } from '@messaging-gateway/event-sourcing';
import { defineEntity, p } from '@mikro-orm/core';
import { workspaceStream } from './workspace.ts';

/** Workspaces that were not deleted. */
export const WorkspaceRow = defineEntity({
  name: 'WorkspaceRow',
  tableName: 'workspaces',
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    name: p.text(),
    description: p.text().nullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
});

/** Writes workspaces as they are now. */
export const workspacesView = view({
  name: 'workspaces',
  of: workspaceStream,
  on: ['WorkspaceCreated', 'WorkspaceChanged'],
  tables: ['workspaces'],
  rows: (events) =>
    events.map(
      ({ data: { workspaceId: id, name, description }, metadata: { organizationId: organization_id }, at }) => ({
        id,
        organization_id,
        name,
        description,
        at: at.toISOString(),
      }),
    ),
  sql: `
    INSERT INTO {schema}.workspaces (id, organization_id, name, description, created_at, updated_at)
    SELECT given.id, given.organization_id, given.name, given.description, given.at, given.at
      FROM {rows} rows
     CROSS JOIN LATERAL jsonb_to_record(rows.row) given(id uuid, organization_id uuid, name text, description text, at timestamptz)
    ON CONFLICT (id) DO UPDATE
       SET name = excluded.name, description = excluded.description, updated_at = excluded.updated_at`,
});

/** Takes deleted workspaces out. */
export const workspacesDeletedView = view({
  name: 'workspaces_deleted',
  of: workspaceStream,
  on: ['WorkspaceDeleted'],
  tables: ['workspaces'],
  rows: (events) => events.map(({ data }) => ({ id: data.workspaceId })),
  sql: `DELETE FROM {schema}.workspaces USING {rows} WHERE id = (row->>'id')::uuid`,
});
