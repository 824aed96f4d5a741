import type { ListSuppressions, Page, Suppression } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import { holding, type InputOf } from '@messaging-gateway/service';
import { entityPage, type EntityOrder } from '@messaging-gateway/service/entities';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Static } from 'typebox';
import { SuppressionEntity, type SuppressionRecord } from './suppressions-view.ts';

type Shown = Static<typeof Suppression>;

export const whenListed: readonly EntityOrder<SuppressionRecord>[] = [
  { property: 'createdAt', kind: 'time' },
  { property: 'id', kind: 'id' },
];

export const shown = ({ id, phone, reason, createdAt }: SuppressionRecord): Shown => ({
  id,
  phone: phone ?? null,
  reason: reason ?? null,
  createdAt: createdAt.toISOString(),
});

/** @throws Refused NOT_FOUND, also for another organization's */
export async function findSuppression(em: EntityManager, id: string): Promise<SuppressionRecord> {
  const entry = await em.findOne(SuppressionEntity, { id, lifted: false });
  if (entry === null) throw new Refused('NOT_FOUND', 'Nobody on the list has this id.');
  return entry;
}

/** A page of the list, the newest first. */
export async function listSuppressions({ query, context }: InputOf<typeof ListSuppressions>): Promise<Page<Shown>> {
  const { search } = query;
  const where = {
    lifted: false,
    ...(search !== undefined && {
      $or: [{ phone: { $like: holding(search) } }, { reason: { $ilike: holding(search) } }],
    }),
  };
  const em = context.em();
  const page = await entityPage(em, SuppressionEntity, { where, order: whenListed, descending: true, query });
  return { ...page, items: page.items.map(shown), total: await em.count(SuppressionEntity, where) };
}
