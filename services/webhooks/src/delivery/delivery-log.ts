import type {
  Caller,
  ListWebhookDeliveries,
  Page,
  RedeliverWebhook,
  ReplayWebhook,
  WebhookDelivery,
} from '@messaging-gateway/contracts';
import { invalid, Refused } from '@messaging-gateway/messaging';
import { decodeCursor, pageOf, type InputOf, type Sql } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import { ownEnabledWebhook, ownWebhook } from '../webhook/handling.ts';
import { toldToAll } from '../webhook/told-to-all.ts';
import type { DeliveryTools } from './tools.ts';

type Shown = Static<typeof WebhookDelivery>;

export async function listDeliveries(
  tools: DeliveryTools,
  { params: { id }, query, caller }: InputOf<typeof ListWebhookDeliveries>,
): Promise<Page<Shown>> {
  await ownWebhook(tools, id, caller);
  const { limit = 50, cursor, status } = query;
  const place = decodeCursor(cursor, ['number']);
  const below = place === undefined ? undefined : String(Math.trunc(Number(place[0])));
  const rows = await deliveriesOf(tools.sql, id, caller, { status, below, limit: limit + 1 });
  return pageOf(rows, limit, ({ sequence }) => [Number(sequence)], shownDelivery);
}

/** Delivers the same body under the same id once more, with all attempts anew. */
export async function redeliver(
  tools: DeliveryTools,
  { params: { id, deliveryId: eventId }, caller }: InputOf<typeof RedeliverWebhook>,
): Promise<Shown> {
  await ownEnabledWebhook(tools, id, caller);
  if ((await deliveryOf(tools.sql, id, eventId, caller)) === undefined)
    throw new Refused('NOT_FOUND', 'There is no such delivery.');
  const kept = await deliverAgain(tools.sql, id, eventId, tools.clock.now());
  const again = kept ? await deliveryOf(tools.sql, id, eventId, caller) : undefined;
  if (again === undefined) throw new Refused('NOT_FOUND', 'The event is no longer kept.');
  tools.dispatcher.wake();
  return shownDelivery(again);
}

/** Every kept event of a time span that the webhook subscribes to, again. */
export async function replayEvents(
  tools: DeliveryTools,
  { params: { id }, body, caller }: InputOf<typeof ReplayWebhook>,
): Promise<{ count: number }> {
  await ownEnabledWebhook(tools, id, caller);
  const now = tools.clock.now();
  const until = body.until ?? new Date(now).toISOString();
  if (Date.parse(until) < Date.parse(body.since)) {
    throw invalid([{ path: 'body.until', message: 'must not lie before since' }]);
  }
  const count = await replay(tools.sql, id, body.since, until, now);
  if (count === undefined)
    throw new Refused('CONFLICT', `The time span holds more than ${replayLimit} events: replay parts of it.`);
  tools.dispatcher.wake();
  return { count };
}

interface DeliveryRow {
  readonly webhook_id: string;
  readonly event_id: string;
  readonly sequence: string;
  readonly kind: string;
  readonly profile_id: string | null;
  readonly status: 'pending' | 'delivered' | 'failed';
  readonly attempts: number;
  readonly status_code: number | null;
  readonly error: string | null;
  readonly duration_ms: number | null;
  readonly occurred_at: Date;
  readonly attempted_at: Date | null;
  readonly due_at: Date | null;
}

const columns =
  'webhook_id, event_id, sequence, kind, profile_id, attempts, status_code, error, duration_ms, occurred_at, attempted_at';

/** Deliveries that wait or are under way, and settled ones that are not being sent again. */
const all = `
  SELECT ${columns}, 'pending' AS status, due_at FROM outstanding WHERE webhook_id = $1
  UNION ALL
  SELECT ${columns}, status, NULL FROM deliveries d WHERE webhook_id = $1
     AND NOT EXISTS (SELECT FROM outstanding o WHERE o.webhook_id = d.webhook_id AND o.event_id = d.event_id)`;

/** Which deliveries somebody may know of: a webhook may have been for other profiles before. */
type Seen = Pick<Caller, 'profileIds'>;

/** Deliveries of a webhook below a sequence, the newest event first. */
const deliveriesOf = (
  sql: Sql,
  webhookId: string,
  { profileIds }: Seen,
  { status, below, limit }: { status: string | undefined; below: string | undefined; limit: number },
): Promise<DeliveryRow[]> =>
  sql.query<DeliveryRow>(
    `SELECT ${columns}, status, due_at FROM (${all}) d WHERE ($2::text IS NULL OR status = $2) AND ($3::bigint IS NULL OR sequence < $3)
        AND ($5::uuid[] IS NULL OR profile_id = ANY ($5))
      ORDER BY sequence DESC LIMIT $4`,
    [webhookId, status ?? null, below ?? null, limit, profileIds ?? null],
  );

async function deliveryOf(
  sql: Sql,
  webhookId: string,
  eventId: string,
  { profileIds }: Seen,
): Promise<DeliveryRow | undefined> {
  const [row] = await sql.query<DeliveryRow>(
    `SELECT ${columns}, status, due_at FROM (${all}) d WHERE event_id = $2 AND ($3::uuid[] IS NULL OR profile_id = ANY ($3))`,
    [webhookId, eventId, profileIds ?? null],
  );
  return row;
}

const shownDelivery = (row: DeliveryRow): Static<typeof WebhookDelivery> => ({
  id: row.event_id,
  eventId: row.event_id,
  webhookId: row.webhook_id,
  event: row.kind,
  profileId: row.profile_id,
  status: row.status,
  attempts: row.attempts,
  statusCode: row.status_code,
  error: row.error,
  durationMs: row.duration_ms,
  eventTime: row.occurred_at.toISOString(),
  lastAttemptAt: row.attempted_at?.toISOString() ?? null,
  nextAttemptAt: row.due_at?.toISOString() ?? null,
});

/** Makes a delivery again out of a log row `l` for a webhook `w`. */
const outstandingAgain = `
  INSERT INTO outstanding (webhook_id, event_id, occurred_at, organization_id, sequence, kind, profile_id, due_at, created_at)
  SELECT w.id, l.id, l.occurred_at, l.organization_id, l.sequence, l.kind, l.profile_id, $2::timestamptz, $2::timestamptz
    FROM webhooks w JOIN event_log l ON l.organization_id = w.organization_id
   WHERE w.id = $1 ${toldToAll('l.kind')}`;
const unlessOutstanding = 'ON CONFLICT (webhook_id, event_id) DO NOTHING';

/**
 * Delivers one event to a webhook again, with all attempts anew, as soon as may be: one that waits is due now, and with it
 * the first in line of a receiver that is down, since that is the one by which it is tried. One that is under way stays so.
 *
 * @returns false: the event is no longer kept
 */
async function deliverAgain(sql: Sql, webhookId: string, eventId: string, now: number): Promise<boolean> {
  const [made] = await sql.query<{ outstanding: boolean }>(
    `WITH made AS (${outstandingAgain} AND l.id = $3 ${unlessOutstanding} RETURNING 1),
          hastened AS (
            UPDATE outstanding SET due_at = $2, attempts = 0 WHERE webhook_id = $1 AND event_id = $3 AND due_at IS NOT NULL
          ),
          probed AS (
            UPDATE outstanding SET due_at = $2
             WHERE webhook_id = $1 AND event_id <> $3 AND due_at > $2
               AND event_id = (SELECT event_id FROM outstanding WHERE webhook_id = $1 AND due_at IS NOT NULL ORDER BY sequence LIMIT 1)
               AND EXISTS (SELECT FROM failing WHERE webhook_id = $1 AND open)
          )
     SELECT EXISTS (SELECT FROM made) OR EXISTS (SELECT FROM outstanding WHERE webhook_id = $1 AND event_id = $3) AS outstanding`,
    [webhookId, new Date(now), eventId],
  );
  return made?.outstanding === true;
}

/** Events in one replay, at most. */
const replayLimit = 100_000;

/**
 * Delivers the kept events of a time span that match the webhook as it is now.
 *
 * @returns how many; undefined, and nothing is delivered, when they are more than `replayLimit`
 */
function replay(sql: Sql, webhookId: string, since: string, until: string, now: number): Promise<number | undefined> {
  const matching = `
    AND l.occurred_at >= $3::timestamptz AND l.occurred_at <= $4::timestamptz
    AND w.events && ARRAY['*', split_part(l.kind, '.', 1) || '.*', l.kind]
    AND (w.profile_ids = '{}' OR l.profile_id = ANY (w.profile_ids)) ${toldToAll('l.kind')}`;
  return sql.transaction(async (inside) => {
    const count = `SELECT count(*) FROM (
      SELECT FROM webhooks w JOIN event_log l ON l.organization_id = w.organization_id WHERE w.id = $1 ${matching} LIMIT $2) x`;
    const [found] = await inside.query<{ count: string }>(count, [webhookId, replayLimit + 1, since, until]);
    if (Number(found?.count) > replayLimit) return undefined;
    const [made] = await inside.query<{ count: string }>(
      `WITH made AS (${outstandingAgain} ${matching} ${unlessOutstanding} RETURNING 1) SELECT count(*) FROM made`,
      [webhookId, new Date(now), since, until],
    );
    return Number(made?.count);
  });
}
