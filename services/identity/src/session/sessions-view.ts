import { view, type EventsOf } from '@messaging-gateway/event-sourcing';
import { defineEntity, p } from '@mikro-orm/core';
import type { Client } from '../client.ts';
import { sessionStream } from './session.ts';

/** Sessions of people, ended ones too. */
export const SessionRow = defineEntity({
  name: 'SessionRow',
  tableName: 'user_sessions',
  properties: {
    id: p.uuid().primary(),
    userId: p.uuid(),
    organizationId: p.uuid(),
    client: p.json<Client>(),
    createdAt: p.datetime(3),
    expiresAt: p.datetime(3),
    endedAt: p.datetime(3).nullable(),
  },
});

const types = ['SessionStarted', 'SessionRefreshed', 'SessionEnded'] as const;

/** Writes sessions as they are now. */
export const sessionsView = view({
  name: 'user_sessions',
  of: sessionStream,
  on: types,
  tables: ['user_sessions'],
  rows: (events) => events.map(rowOf),
  sql: `
    INSERT INTO {schema}.user_sessions (id, user_id, organization_id, client, created_at, expires_at, ended_at)
    SELECT given.id, coalesce(given.user_id, present.user_id), coalesce(given.organization_id, present.organization_id),
           coalesce(given.client, present.client), coalesce(given.created_at, present.created_at),
           coalesce(given.expires_at, present.expires_at), coalesce(given.ended_at, present.ended_at)
      FROM {rows} rows
     CROSS JOIN LATERAL jsonb_to_record(rows.row) given(id uuid, user_id uuid, organization_id uuid, client jsonb,
                                                        created_at timestamptz, expires_at timestamptz, ended_at timestamptz)
      LEFT JOIN LATERAL (SELECT * FROM {schema}.user_sessions WHERE user_sessions.id = given.id LIMIT 1) present ON true
     WHERE given.user_id IS NOT NULL OR present.id IS NOT NULL
    ON CONFLICT (id) DO UPDATE SET expires_at = excluded.expires_at, ended_at = excluded.ended_at`,
});

function rowOf(event: EventsOf<typeof sessionStream, (typeof types)[number]>): object {
  switch (event.type) {
    case 'SessionStarted': {
      const { sessionId, userId, organizationId, client, expiresAt } = event.data;
      return {
        id: sessionId,
        user_id: userId,
        organization_id: organizationId,
        client,
        created_at: event.at.toISOString(),
        expires_at: expiresAt,
      };
    }
    case 'SessionRefreshed':
      return { id: event.data.sessionId, expires_at: event.data.expiresAt };
    case 'SessionEnded':
      return { id: event.data.sessionId, ended_at: event.at.toISOString() };
  }
}
