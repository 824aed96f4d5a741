import type { Permission } from '@messaging-gateway/contracts';
import { view, type EventsOf } from '@messaging-gateway/event-sourcing';
import { defineEntity, p } from '@mikro-orm/core';
import { apiKeyStream } from './api-key.ts';

/** API keys, revoked ones too. */
export const ApiKeyRow = defineEntity({
  name: 'ApiKeyRow',
  tableName: 'api_keys',
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    makerId: p.uuid(),
    parentId: p.uuid().nullable(),
    name: p.text(),
    prefix: p.text(),
    hash: p.text().unique(),
    permissions: p.array<Permission>().columnType('text[]').nullable(),
    profileIds: p.array().columnType('uuid[]').nullable(),
    allowedCidrs: p.array().columnType('text[]').nullable(),
    createdAt: p.datetime(3),
    expiresAt: p.datetime(3).nullable(),
    revokedAt: p.datetime(3).nullable(),
  },
});

const types = ['ApiKeyCreated', 'ApiKeyReissued', 'ApiKeyRevoked'] as const;

/** Writes API keys as they are now. */
export const apiKeysView = view({
  name: 'api_keys',
  of: apiKeyStream,
  on: types,
  tables: ['api_keys'],
  rows: (events) => events.map(rowOf),
  sql: `
    INSERT INTO {schema}.api_keys (id, organization_id, maker_id, parent_id, name, prefix, hash, permissions, profile_ids,
                                   allowed_cidrs, created_at, expires_at, revoked_at)
    SELECT given.id, coalesce(given.organization_id, present.organization_id), coalesce(given.maker_id, present.maker_id),
           coalesce(given.parent_id, present.parent_id), coalesce(given.name, present.name),
           coalesce(given.prefix, present.prefix), coalesce(given.hash, present.hash),
           coalesce(given.permissions, present.permissions), coalesce(given.profile_ids, present.profile_ids),
           coalesce(given.allowed_cidrs, present.allowed_cidrs), coalesce(given.created_at, present.created_at),
           coalesce(given.expires_at, present.expires_at), coalesce(given.revoked_at, present.revoked_at)
      FROM {rows} rows
     CROSS JOIN LATERAL jsonb_to_record(rows.row) given(
             id uuid, organization_id uuid, maker_id uuid, parent_id uuid, name text, prefix text, hash text,
             permissions text[], profile_ids uuid[], allowed_cidrs text[], created_at timestamptz, expires_at timestamptz,
             revoked_at timestamptz)
      LEFT JOIN LATERAL (SELECT * FROM {schema}.api_keys WHERE api_keys.id = given.id LIMIT 1) present ON true
     WHERE given.maker_id IS NOT NULL OR present.id IS NOT NULL
    ON CONFLICT (id) DO UPDATE SET prefix = excluded.prefix, hash = excluded.hash, revoked_at = excluded.revoked_at`,
});

function rowOf(event: EventsOf<typeof apiKeyStream, (typeof types)[number]>): object {
  switch (event.type) {
    case 'ApiKeyCreated': {
      const { apiKeyId, organizationId, makerId, parentId, name, scope, fingerprint } = event.data;
      return {
        id: apiKeyId,
        organization_id: organizationId,
        maker_id: makerId,
        parent_id: parentId,
        name,
        ...fingerprint,
        permissions: scope.permissions,
        profile_ids: scope.profileIds,
        allowed_cidrs: scope.allowedCidrs,
        created_at: event.at.toISOString(),
        expires_at: scope.expiresAt,
      };
    }
    case 'ApiKeyReissued':
      return { id: event.data.apiKeyId, ...event.data.fingerprint };
    case 'ApiKeyRevoked':
      return { id: event.data.apiKeyId, revoked_at: event.at.toISOString() };
  }
}
