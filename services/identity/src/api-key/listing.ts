import type { ListApiKeys, ApiKey, Page } from '@messaging-gateway/contracts';
import type { InputOf } from '@messaging-gateway/service';
import { entityPage, type EntityOrder } from '@messaging-gateway/service/entities';
import type { InferEntity } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Static } from 'typebox';
import { lastUses } from '../credential/last-use.ts';
import { ApiKeyRow } from './api-keys-view.ts';

export type ApiKeyRecord = InferEntity<typeof ApiKeyRow>;

const whenMade: readonly EntityOrder<ApiKeyRecord>[] = [
  { property: 'createdAt', kind: 'time' },
  { property: 'id', kind: 'id' },
];

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
  const keys = { revokedAt: null };
  const em = context.em();
  const page = await entityPage(em, ApiKeyRow, { where: keys, order: whenMade, descending: true, query });
  const used = await lastUses(
    em,
    page.items.map(({ id }) => id),
  );
  const items = page.items.map((row) => shownKey(row, used.get(row.id)));
  return { ...page, items, total: await em.count(ApiKeyRow, keys) };
}
