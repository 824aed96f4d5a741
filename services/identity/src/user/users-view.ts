import type { InlineView, RecordedEvent } from '@messaging-gateway/event-sourcing';
import { defineEntity, p } from '@mikro-orm/core';
import type { UserEvent } from './user.ts';

/** Users as they are now. */
export const UserRow = defineEntity({
  name: 'UserRow',
  tableName: 'users',
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid().index(),
    email: p.text(),
    name: p.text(),
    passwordHash: p.text(),
    mustChangePassword: p.boolean().default(false),
    passwordSince: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
  },
});

const columns = 'id, organization_id, email, name, password_hash, must_change_password, password_since, created_at';

export const usersView: InlineView = {
  name: 'users',
  tables: ['users'],
  rows: (events) => events.flatMap((event) => rowOf(event)),
  sql: `
    INSERT INTO {schema}.users (${columns})
    SELECT given.id, coalesce(given.organization_id, present.organization_id), coalesce(given.email, present.email), coalesce(given.name, present.name),
           coalesce(given.password_hash, present.password_hash),
           coalesce(given.must_change_password, present.must_change_password, false),
           coalesce(given.password_since, present.password_since),
           coalesce(given.created_at, present.created_at)
      FROM {rows} rows
     CROSS JOIN LATERAL jsonb_to_record(rows.row) given(id uuid, organization_id uuid, email text, name text,
                                                        password_hash text, must_change_password boolean,
                                                        password_since timestamptz,
                                                        created_at timestamptz)
      LEFT JOIN LATERAL (SELECT * FROM {schema}.users WHERE users.id = given.id LIMIT 1) present ON true
     WHERE given.organization_id IS NOT NULL OR present.id IS NOT NULL
    ON CONFLICT (id) DO UPDATE
       SET password_hash = excluded.password_hash, must_change_password = excluded.must_change_password,
           password_since = excluded.password_since`,
};

/** Takes removed users out, and their addresses are free again. */
export const usersRemovedView: InlineView = {
  name: 'users_removed',
  tables: ['users'],
  rows: (events) => events.flatMap((event) => (event.type === 'UserRemoved' ? [{ id: event.data['userId'] }] : [])),
  sql: `DELETE FROM {schema}.users USING {rows} WHERE id = (row->>'id')::uuid`,
};
export const addressesFreedView: InlineView = {
  name: 'addresses_freed',
  rows: usersRemovedView.rows,
  sql: `DELETE FROM {schema}.addresses USING {rows} WHERE user_id = (row->>'id')::uuid`,
};

function rowOf(recorded: RecordedEvent): object[] {
  const event = { type: recorded.type, data: recorded.data } as unknown as UserEvent;
  switch (event.type) {
    case 'UserRegistered':
    case 'UserInvited': {
      const { userId, organizationId, email, name, passwordHash } = event.data;
      return [
        {
          id: userId,
          organization_id: organizationId,
          email,
          name,
          password_hash: passwordHash,
          must_change_password: event.type === 'UserInvited',
          password_since: recorded.at.toISOString(),
          created_at: recorded.at.toISOString(),
        },
      ];
    }
    case 'PasswordChanged':
    case 'PasswordReset': {
      const { userId, passwordHash } = event.data;
      return [
        {
          id: userId,
          password_hash: passwordHash,
          must_change_password: event.type === 'PasswordReset',
          password_since: recorded.at.toISOString(),
        },
      ];
    }
    default:
      return [];
  }
}
