import type { Caller, ListSuppressions, Page, Suppression } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import {
  allOf,
  holding,
  readPage,
  whereGiven,
  type Condition,
  type Conditions,
  type InputOf,
  type ServiceTools,
  type SortKey,
  type Sql,
} from '@messaging-gateway/service';
import type { Static } from 'typebox';

type Shown = Static<typeof Suppression>;

export interface SuppressionRow {
  readonly id: string;
  readonly phone: string | null;
  readonly reason: string | null;
  readonly phone_digest: string | null;
  readonly lid_digest: string | null;
  readonly created_at: Date;
}

export const selected = 'SELECT id, phone, reason, phone_digest, lid_digest, created_at FROM suppressions';

export const whenListed: readonly SortKey<SuppressionRow>[] = [
  { column: 'created_at', kind: 'time', of: (row) => row.created_at.toISOString() },
  { column: 'id', kind: 'id', of: (row) => row.id },
];

export const shown = ({ id, phone, reason, created_at }: SuppressionRow): Shown => ({
  id,
  phone,
  reason,
  createdAt: created_at.toISOString(),
});

/** Who is on the list of the caller's organization. */
export const listedFor = ({ organizationId }: Caller, ...besides: Condition[]): Conditions =>
  allOf([['organization_id = $1', organizationId], ['NOT lifted'], ...besides]);

/** @throws Refused NOT_FOUND, also for another organization's */
export async function findSuppression(
  sql: Sql,
  id: string | undefined,
  { organizationId }: Caller,
): Promise<SuppressionRow> {
  const [row] = await sql.query<SuppressionRow>(`${selected} WHERE id = $1 AND organization_id = $2 AND NOT lifted`, [
    id,
    organizationId,
  ]);
  if (row === undefined) throw new Refused('NOT_FOUND', 'Nobody on the list has this id.');
  return row;
}

/** A page of the list, the newest first. */
export async function listSuppressions(
  { sql }: Pick<ServiceTools<unknown>, 'sql'>,
  { caller, query }: InputOf<typeof ListSuppressions>,
): Promise<Page<Shown>> {
  const where = listedFor(caller, whereGiven('(phone LIKE $1 OR reason ILIKE $1)', query.search, holding));
  const [page, [counted]] = await Promise.all([
    readPage<SuppressionRow>(sql, { select: selected, where, order: whenListed, descending: true, query }),
    sql.query<{ total: number }>(`SELECT count(*)::int AS total FROM suppressions WHERE ${where.text}`, where.values),
  ]);
  return { ...page, items: page.items.map(shown), total: counted?.total ?? 0 };
}
