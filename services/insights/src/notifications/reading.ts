import type {
  CountUnreadNotifications,
  DeleteAllNotifications,
  DeleteNotification,
  ListNotifications,
  Page,
  ReadAllNotifications,
  ReadNotification,
} from '@messaging-gateway/contracts';
import { invalid, Refused } from '@messaging-gateway/messaging';
import { allOf, readPage, whereGiven, type Arrivals, type Condition, type InputOf } from '@messaging-gateway/service';
import type { InsightsTools } from '../tools.ts';
import {
  notificationColumns,
  ownOf,
  shownNotification,
  type NotificationRow,
  type ShownNotification,
} from './shown.ts';

export interface ReadingParts extends Pick<InsightsTools, 'sql' | 'clock'> {
  readonly arrivals: Arrivals;
}

type ListInput = InputOf<typeof ListNotifications>;

const filters = ({ query: { unread, type } }: ListInput): readonly Condition[] => [
  whereGiven('is_read = $1', unread, (wanted) => !wanted),
  whereGiven('type = $1', type),
];

/** The newest first; with `after` or `wait` what comes, the oldest first. */
export async function listNotifications(parts: ReadingParts, input: ListInput): Promise<Page<ShownNotification>> {
  const { after, wait, cursor } = input.query;
  if (after !== undefined || wait !== undefined) {
    if (cursor !== undefined) throw invalid([{ path: 'query.cursor', message: 'does not go with `after` or `wait`' }]);
    return whatComes(parts, input);
  }
  const conditions = [...ownOf(input.caller), ...filters(input)];
  const { items, nextCursor } = await readPage<NotificationRow>(parts.sql, {
    select: `SELECT ${notificationColumns} FROM notifications`,
    where: allOf(conditions),
    order: [{ column: 'place', kind: 'number', of: ({ place }) => Number(place) }],
    descending: true,
    query: input.query,
  });
  return { items: items.map(shownNotification), nextCursor, total: await count(parts, conditions) };
}

/** Left over between the end of a long wait and the request's deadline, milliseconds. */
const answerWithinMs = 2_000;
const usualLimit = 50;

async function whatComes({ sql, clock, arrivals }: ReadingParts, input: ListInput): Promise<Page<ShownNotification>> {
  const { caller, query, context } = input;
  const { after, wait = 0, limit = usualLimit } = query;
  const start = after === undefined ? await lastPlace(sql, caller.organizationId) : placeIn(after);
  const until = Math.min(clock.now() + wait * 1000, context.deadline - answerWithinMs);
  const { text, values } = allOf([...ownOf(caller), ...filters(input), ['place > $1', start]]);
  const rows = await arrivals.waitFor(caller.organizationId, until, async () => {
    const found = await sql.query<NotificationRow>(
      `SELECT ${notificationColumns} FROM notifications WHERE ${text} ORDER BY place LIMIT ${limit}`,
      values,
    );
    return found.length > 0 ? found : undefined;
  });
  const items = (rows ?? []).map((row) => ({ ...shownNotification(row), place: row.place }));
  return { items, nextCursor: items.at(-1)?.place ?? start };
}

async function lastPlace(sql: InsightsTools['sql'], organizationId: string): Promise<string> {
  const [head] = await sql.query<{ last: string }>('SELECT last FROM notification_heads WHERE organization_id = $1', [
    organizationId,
  ]);
  return head?.last ?? '0';
}

/** @throws Refused VALIDATION_ERROR */
function placeIn(after: string): string {
  if (/^\d{1,18}$/.test(after)) return after;
  throw invalid([{ path: 'query.after', message: 'must be a nextCursor of such a read, or the id of a stream' }]);
}

async function count({ sql }: ReadingParts, conditions: readonly Condition[]): Promise<number> {
  const { text, values } = allOf(conditions);
  const [row] = await sql.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM notifications WHERE ${text}`,
    values,
  );
  return row?.count ?? 0;
}

export const countUnread = async (
  parts: ReadingParts,
  { caller }: InputOf<typeof CountUnreadNotifications>,
): Promise<{ count: number }> => ({ count: await count(parts, [...ownOf(caller), ['NOT is_read']]) });

/** @throws Refused NOT_FOUND, also for another user's */
export async function readNotification(
  { sql }: ReadingParts,
  { caller, params }: InputOf<typeof ReadNotification>,
): Promise<ShownNotification> {
  const { text, values } = allOf([...ownOf(caller), ['id = $1', params.id]]);
  const [row] = await sql.query<NotificationRow>(
    `UPDATE notifications SET is_read = true WHERE ${text} RETURNING ${notificationColumns}`,
    values,
  );
  if (row === undefined) throw noSuch();
  return shownNotification(row);
}

export async function readAll(
  { sql }: ReadingParts,
  { caller }: InputOf<typeof ReadAllNotifications>,
): Promise<{ updated: number }> {
  const { text, values } = allOf([...ownOf(caller), ['NOT is_read']]);
  const rows = await sql.query(`UPDATE notifications SET is_read = true WHERE ${text} RETURNING 1`, values);
  return { updated: rows.length };
}

/** @throws Refused NOT_FOUND */
export async function deleteNotification(
  { sql }: ReadingParts,
  { caller, params }: InputOf<typeof DeleteNotification>,
): Promise<void> {
  const { text, values } = allOf([...ownOf(caller), ['id = $1', params.id]]);
  if ((await sql.query(`DELETE FROM notifications WHERE ${text} RETURNING 1`, values)).length === 0) throw noSuch();
}

export async function deleteAll(
  { sql }: ReadingParts,
  { caller }: InputOf<typeof DeleteAllNotifications>,
): Promise<void> {
  const { text, values } = allOf(ownOf(caller));
  await sql.query(`DELETE FROM notifications WHERE ${text}`, values);
}

const noSuch = (): Refused => new Refused('NOT_FOUND', 'There is no such notification.');
