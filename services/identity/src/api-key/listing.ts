import type { ListApiKeys, ApiKey, Page } from '@messaging-gateway/contracts';
import { decodeCursor, pageOf, type CursorPlace, type InputOf } from '@messaging-gateway/service';
import type { InferEntity } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Static } from 'typebox';
import { lastUses } from '../credential/last-use.ts';
import { ApiKeyRow } from './api-keys-view.ts';

export type ApiKeyRecord = InferEntity<typeof ApiKeyRow>;

/** A key that was not revoked. */
export async function findKey(em: EntityManager, id: string): Promise<ApiKeyRecord | undefined> {
  return (await em.findOne(ApiKeyRow, { id, revokedAt: null })) ?? undefined;
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
export async function listApiKeys({
  query,
  context,
}: InputOf<typeof ListApiKeys>): Promise<Page<Static<typeof ApiKey>>> {
  const { limit = 50, cursor } = query;
  const place = decodeCursor(cursor, ['time', 'id']);
  const keys = { revokedAt: null };
  const em = context.em();
  const rows = await em.find(ApiKeyRow, place === undefined ? keys : { ...keys, ...older(place) }, {
    orderBy: { createdAt: 'desc', id: 'desc' },
    limit: limit + 1,
  });
  const used = await lastUses(
    em,
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
  return { createdAt: { $lte: createdAt }, $or: [{ createdAt: { $lt: createdAt } }, { id: { $lt: String(id) } }] };
}
