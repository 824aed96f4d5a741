import type { ApiKey, Page } from '@messaging-gateway/contracts';
import { decodeCursor, pageOf, type CursorPlace, type OperationInput } from '@messaging-gateway/service';
import type { InferEntity } from '@mikro-orm/core';
import type { Static } from 'typebox';
import { lastUses } from '../credential/last-use.ts';
import type { IdentityTools } from '../tools.ts';
import { ApiKeyRow } from './api-keys-view.ts';

export type ApiKeyRecord = InferEntity<typeof ApiKeyRow>;

/** A key that was not revoked. */
export async function findKey(
  tools: IdentityTools,
  id: string,
  organizationId: string,
): Promise<ApiKeyRecord | undefined> {
  return (await tools.em(organizationId).findOne(ApiKeyRow, { id, revokedAt: null })) ?? undefined;
}

export function shownKey(row: ApiKeyRecord, usedAt: Date | undefined): Static<typeof ApiKey> {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    permissions: row.permissions ?? null,
    profileIds: row.profileIds ?? null,
    allowedCidrs: row.allowedCidrs ?? null,
    createdBy: row.makerId,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: usedAt?.toISOString() ?? null,
  };
}

/** The organization's keys that were not revoked, newest first. */
export async function listApiKeys(
  tools: IdentityTools,
  { caller, query }: OperationInput<unknown>,
): Promise<Page<Static<typeof ApiKey>>> {
  const limit = Number(query['limit'] ?? 50);
  const place = decodeCursor(query['cursor'], ['time', 'id']);
  const keys = { organizationId: caller.organizationId, revokedAt: null };
  const em = tools.em(caller.organizationId);
  const rows = await em.find(ApiKeyRow, place === undefined ? keys : { ...keys, ...older(place) }, {
    orderBy: { createdAt: 'desc', id: 'desc' },
    limit: limit + 1,
  });
  const used = await lastUses(
    tools,
    rows.map((row) => row.id),
  );
  const page = pageOf(
    rows,
    limit,
    (row) => [row.createdAt.toISOString(), row.id],
    (row) => shownKey(row, used.get(row.id)),
  );
  return { ...page, total: await em.count(ApiKeyRow, keys) };
}

function older([time, id]: CursorPlace) {
  const createdAt = new Date(String(time));
  return { $or: [{ createdAt: { $lt: createdAt } }, { createdAt, id: { $lt: String(id) } }] };
}
