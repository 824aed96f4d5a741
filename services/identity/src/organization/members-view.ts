import { view, type EventsOf } from '@messaging-gateway/event-sourcing';
import { organizationStream } from './organization.ts';
import { defineEntity, p } from '@mikro-orm/core';
import { ownerRoleId } from './system-roles.ts';
import { UserRow } from '../user/users-view.ts';

/** A member of an organization, with the role. */
export const MemberRow = defineEntity({
  name: 'MemberRow',
  tableName: 'members',
  properties: {
    user: () => p.oneToOne(UserRow).primary().joinColumn('user_id').createForeignKeyConstraint(false),
    organizationId: p.uuid(),
    roleId: p.uuid(),
    joinedAt: p.datetime(3),
  },
});

const types = ['OrganizationFounded', 'MemberJoined', 'MemberRoleChanged'] as const;

interface Row {
  readonly user_id: string;
  readonly organization_id?: string;
  readonly role_id?: string;
  readonly joined_at?: string;
}

/** Members of organizations with their roles, by which every credential is resolved. */
export const membersView = view({
  name: 'members',
  of: organizationStream,
  on: types,
  tables: ['members'],
  rows: (events) => events.map(rowOf),
  sql: `
    INSERT INTO {schema}.members (user_id, organization_id, role_id, joined_at)
    SELECT given.user_id, given.organization_id, given.role_id, given.joined_at
      FROM {rows} rows
     CROSS JOIN LATERAL jsonb_to_record(rows.row) given(user_id uuid, organization_id uuid, role_id uuid, joined_at timestamptz)
    ON CONFLICT (user_id) DO UPDATE SET role_id = excluded.role_id`,
});

/** Takes removed members out. */
export const membersRemovedView = view({
  name: 'members_removed',
  of: organizationStream,
  on: ['MemberRemoved', 'MemberLeft'],
  tables: ['members'],
  rows: (events) => events.map(({ data }) => ({ user_id: data.userId })),
  sql: `DELETE FROM {schema}.members USING {rows} WHERE user_id = (row->>'user_id')::uuid`,
});

function rowOf(event: EventsOf<typeof organizationStream, (typeof types)[number]>): Row {
  const shared = { organization_id: event.metadata.organizationId, joined_at: event.at.toISOString() };
  switch (event.type) {
    case 'OrganizationFounded':
      return { user_id: event.data.ownerId, role_id: ownerRoleId, ...shared };
    case 'MemberJoined':
    case 'MemberRoleChanged':
      return { user_id: event.data.userId, role_id: event.data.roleId, ...shared };
  }
}
