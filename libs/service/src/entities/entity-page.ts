import { raw, type EntityKey, type EntityName, type FilterQuery } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { columnTypes, decodeCursor, pageOf, type CursorKind } from '../paging.ts';

/** One property of the order of a list. */
export interface EntityOrder<Row extends object> {
  readonly property: EntityKey<Row>;
  readonly kind: CursorKind;
}

export interface EntityPageQuery<Row extends object> {
  readonly where: FilterQuery<Row>;
  /** Properties that name a row among all, in its order. */
  readonly order: readonly EntityOrder<Row>[];
  readonly descending?: boolean;
  readonly query: { readonly limit?: number; readonly cursor?: string };
}

/** A page of entities and the place of the next one. */
export interface EntityPage<Row> {
  readonly items: Row[];
  readonly nextCursor: string | null;
}

/**
 * A page of a list of entities of one table, 50 of them unless the query says otherwise. The place is compared as one row
 * of values, which an index on the order answers, however deep the page is.
 *
 * @throws Refused VALIDATION_ERROR when this list gave no such cursor
 */
export async function entityPage<Row extends object>(
  em: EntityManager,
  entity: EntityName<Row>,
  { where, order, descending = false, query: { limit = 50, cursor } }: EntityPageQuery<Row>,
): Promise<EntityPage<Row>> {
  const place = decodeCursor(
    cursor,
    order.map(({ kind }) => kind),
  );
  const { properties } = em.getMetadata().get(entity);
  const columns = order.map(({ property }) => properties[property].fieldNames[0]);
  const bounds = order.map(({ kind }) => `?::${columnTypes[kind]}`);
  const beyond = `(${columns.join(', ')}) ${descending ? '<' : '>'} (${bounds.join(', ')})`;
  const rows: Row[] = await em.find(
    entity,
    (place === undefined ? where : { $and: [where, { [raw(beyond, place)]: [] }] }) as FilterQuery<NoInfer<Row>>,
    {
      orderBy: order.map(({ property }) => ({ [property]: descending ? 'desc' : 'asc' })),
      limit: limit + 1,
    },
  );
  return pageOf(
    rows,
    limit,
    (row) => order.map(({ property }) => placeValue(row[property])),
    (row) => row,
  );
}

/** As it stands in a cursor. */
function placeValue(value: unknown): string | number {
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'boolean') return Number(value);
  if (typeof value === 'number' || typeof value === 'string') return value;
  throw new Error(`A list cannot be ordered by ${typeof value}.`);
}
