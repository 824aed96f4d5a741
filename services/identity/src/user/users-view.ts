import { view, type EventsOf } from '@messaging-gateway/event-sourcing';
import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { userStream } from './user.ts';

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

export type UserRecord = InferEntity<typeof UserRow>;

/** A user of the organization; undefined when there is none. */
export async function findUser(em: EntityManager, id: string): Promise<UserRecord | undefined> {
  return (await em.findOne(UserRow, { id })) ?? undefined;
}

const columns = 'id, organization_id, email, name, password_hash, must_change_password, password_since, created_at';

const types = ['UserRegistered', 'UserInvited', 'PasswordChanged', 'PasswordReset'] as const;

/** Writes users as they are now. */
export const usersView = view({
  name: 'users',
  of: userStream,
  on: types,
  tables: ['users'],
  rows: (events) => events.map(rowOf),
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
});

const removed = {
  of: userStream,
  on: ['UserRemoved'],
  rows: (events: readonly EventsOf<typeof userStream, 'UserRemoved'>[]) =>
    events.map(({ data }) => ({ id: data.userId })),
} as const;

/** Takes removed users out, and their addresses are free again. */
export const usersRemovedView = view({
  ...removed,
  name: 'users_removed',
  tables: ['users'],
  sql: `DELETE FROM {schema}.users USING {rows} WHERE id = (row->>'id')::uuid`,
});
export const addressesFreedView = view({
  ...removed,
  name: 'addresses_freed',
  sql: `DELETE FROM {schema}.addresses USING {rows} WHERE user_id = (row->>'id')::uuid`,
});

function rowOf(event: EventsOf<typeof userStream, (typeof types)[number]>): object {
  const since = event.at.toISOString();
  const { userId: id, passwordHash: password_hash } = event.data;
  switch (event.type) {
    case 'UserRegistered':
    case 'UserInvited': {
      const { organizationId: organization_id, email, name } = event.data;
      const must_change_password = event.type === 'UserInvited';
      const made = { organization_id, email, name, created_at: since };
      return { id, ...made, password_hash, must_change_password, password_since: since };
    }
    case 'PasswordChanged':
    case 'PasswordReset':
      return { id, password_hash, must_change_password: event.type === 'PasswordReset', password_since: since };
  }
}
