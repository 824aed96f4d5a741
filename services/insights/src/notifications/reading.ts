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
import type { Arrivals, InputOf } from '@messaging-gateway/service';
import { entityPage } from '@messaging-gateway/service/entities';
import type { InsightsTools } from '../tools.ts';
import { NotificationEntity, ownOf, shownNotification, type ShownNotification } from './shown.ts';

export interface ReadingParts extends Pick<InsightsTools, 'em' | 'sql' | 'clock'> {
  readonly arrivals: Arrivals;
}

type ListInput = InputOf<typeof ListNotifications>;

const wanted = ({ caller, query: { unread, type } }: ListInput) => ({
  ...ownOf(caller),
  ...(unread !== undefined && { isRead: !unread }),
  ...(type !== undefined && { type }),
});

/** The newest first; with `after` or `wait` what comes, the oldest first. */
export async function listNotifications(parts: ReadingParts, input: ListInput): Promise<Page<ShownNotification>> {
  const { after, wait, cursor } = input.query;
  if (after !== undefined || wait !== undefined) {
    if (cursor !== undefined) throw invalid([{ path: 'query.cursor', message: 'does not go with `after` or `wait`' }]);
    return whatComes(parts, input);
  }
  const em = input.context.em();
  const { items, nextCursor } = await entityPage(em, NotificationEntity, {
    where: wanted(input),
    order: [{ property: 'place', kind: 'number' }],
    descending: true,
    query: input.query,
  });
  return { items: items.map(shownNotification), nextCursor, total: await em.count(NotificationEntity, wanted(input)) };
}

/** Left over between the end of a long wait and the request's deadline, milliseconds. */
const answerWithinMs = 2_000;
const usualLimit = 50;

async function whatComes(
  { em, sql, clock, arrivals }: ReadingParts,
  input: ListInput,
): Promise<Page<ShownNotification>> {
  const { caller, query, context } = input;
  const { after, wait = 0, limit = usualLimit } = query;
  const { organizationId } = caller;
  const start = after === undefined ? await lastPlace(sql, organizationId) : placeIn(after);
  const until = Math.min(clock.now() + wait * 1000, context.deadline - answerWithinMs);
  const where = { ...wanted(input), place: { $gt: Number(start) } };
  const told = await arrivals.waitFor(organizationId, until, async () => {
    const found = await em(organizationId).find(NotificationEntity, where, { orderBy: { place: 'asc' }, limit });
    return found.length > 0 ? found : undefined;
  });
  const items = (told ?? []).map((one) => ({ ...shownNotification(one), place: String(one.place) }));
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
  if (/^\d{1,15}$/.test(after)) return after;
  throw invalid([{ path: 'query.after', message: 'must be a nextCursor of such a read, or the id of a stream' }]);
}

export const countUnread = async ({
  caller,
  context,
}: InputOf<typeof CountUnreadNotifications>): Promise<{ count: number }> => ({
  count: await context.em().count(NotificationEntity, { ...ownOf(caller), isRead: false }),
});

/** @throws Refused NOT_FOUND, also for another user's */
export async function readNotification({
  caller,
  params: { id },
  context,
}: InputOf<typeof ReadNotification>): Promise<ShownNotification> {
  const em = context.em();
  const own = { ...ownOf(caller), id };
  await em.nativeUpdate(NotificationEntity, own, { isRead: true });
  const told = await em.findOne(NotificationEntity, own);
  if (told === null) throw noSuch();
  return shownNotification(told);
}

export const readAll = async ({
  caller,
  context,
}: InputOf<typeof ReadAllNotifications>): Promise<{ updated: number }> => ({
  updated: await context.em().nativeUpdate(NotificationEntity, { ...ownOf(caller), isRead: false }, { isRead: true }),
});

/** @throws Refused NOT_FOUND */
export async function deleteNotification({
  caller,
  params: { id },
  context,
}: InputOf<typeof DeleteNotification>): Promise<void> {
  if ((await context.em().nativeDelete(NotificationEntity, { ...ownOf(caller), id })) === 0) throw noSuch();
}

export async function deleteAll({ caller, context }: InputOf<typeof DeleteAllNotifications>): Promise<void> {
  await context.em().nativeDelete(NotificationEntity, ownOf(caller));
}

const noSuch = (): Refused => new Refused('NOT_FOUND', 'There is no such notification.');
