import type { Sql } from '@messaging-gateway/service';
import type { Delivery } from './delivery.ts';

/** A webhook with deliveries that wait. */
export interface WaitingWebhook {
  readonly webhookId: string;
  /** Of one that has not ended. */
  readonly organizationId: string;
  /** When the next one may be tried: of a receiver that is down the first in line, else the earliest. */
  readonly dueAt: Date;
  readonly isDown: boolean;
  /** Disabled or deleted: what waits will not be sent. */
  readonly ended: boolean;
}

/** Walks from webhook to webhook along the index, so that a long queue of one costs as little as a short one. */
const findWaiting = `
  WITH RECURSIVE walk AS (
    (SELECT webhook_id FROM outstanding WHERE due_at IS NOT NULL ORDER BY webhook_id LIMIT 1)
    UNION ALL
    SELECT (SELECT o.webhook_id FROM outstanding o
             WHERE o.due_at IS NOT NULL AND o.webhook_id > walk.webhook_id ORDER BY o.webhook_id LIMIT 1)
      FROM walk WHERE walk.webhook_id IS NOT NULL
  )
  SELECT walk.webhook_id AS "webhookId", w.organization_id AS "organizationId", coalesce(f.open, false) AS "isDown", coalesce(NOT w.enabled, true) AS ended,
         CASE WHEN f.open
              THEN (SELECT o.due_at FROM outstanding o WHERE o.webhook_id = walk.webhook_id AND o.due_at IS NOT NULL ORDER BY o.sequence LIMIT 1)
              ELSE (SELECT o.due_at FROM outstanding o WHERE o.webhook_id = walk.webhook_id AND o.due_at IS NOT NULL ORDER BY o.due_at LIMIT 1)
         END AS "dueAt"
    FROM walk LEFT JOIN webhooks w ON w.id = walk.webhook_id LEFT JOIN failing f ON f.webhook_id = walk.webhook_id
   WHERE walk.webhook_id IS NOT NULL`;

export const waitingWebhooks = (sql: Sql): Promise<WaitingWebhook[]> => sql.query<WaitingWebhook>(findWaiting);

const claimed = `
  claimed AS (
    UPDATE outstanding o SET claimed_by = $3, due_at = NULL FROM chosen c
     WHERE o.webhook_id = c.webhook_id AND o.event_id = c.event_id
    RETURNING o.webhook_id, o.event_id, o.occurred_at, o.organization_id, o.profile_id, o.attempts, o.sequence
  )
  SELECT c.webhook_id AS "webhookId", w.version AS "webhookVersion", c.event_id AS "eventId", c.occurred_at AS "occurredAt",
         c.organization_id AS "organizationId", c.profile_id AS "profileId",
         l.body, l.source_sequence AS "sourceSequence", l.traceparent, c.attempts
    FROM claimed c JOIN webhooks w ON w.id = c.webhook_id
    LEFT JOIN event_log l ON l.id = c.event_id AND l.occurred_at = c.occurred_at ORDER BY c.sequence`;

const claimDue = `
  WITH chosen AS MATERIALIZED (
    SELECT webhook_id, event_id FROM outstanding WHERE webhook_id = $1 AND due_at <= $2
     ORDER BY due_at, sequence LIMIT $4 FOR UPDATE SKIP LOCKED
  ), ${claimed}`;

/** Of several replicas that want the first in line at the same moment one gets it, and none the second in line. */
const lockReceiver = 'SELECT FROM failing WHERE webhook_id = $1 FOR UPDATE SKIP LOCKED';

/** The first in line, and only while nobody has another one in hand. */
const claimHead = `
  WITH head AS MATERIALIZED (
    SELECT webhook_id, event_id, due_at FROM outstanding WHERE webhook_id = $1 AND due_at IS NOT NULL
     ORDER BY sequence LIMIT $4 FOR UPDATE SKIP LOCKED
  ), chosen AS MATERIALIZED (
    SELECT webhook_id, event_id FROM head
     WHERE due_at <= $2 AND NOT EXISTS (SELECT FROM outstanding o WHERE o.webhook_id = $1 AND o.claimed_by IS NOT NULL)
  ), ${claimed}`;

/** Takes deliveries of a webhook that are due into the hands of a dispatcher; of a receiver that is down one at most. */
export function claim(
  sql: Sql,
  webhookId: string,
  { isDown, limit, dispatcherId, now }: { isDown: boolean; limit: number; dispatcherId: string; now: number },
): Promise<Delivery[]> {
  const values = [webhookId, new Date(now), dispatcherId, isDown ? 1 : limit];
  if (!isDown) return sql.query<Delivery>(claimDue, values);
  // A statement of its own after the lock sees what the one who had it before has claimed.
  return sql.transaction(async (inside) => {
    const locked = await inside.query(lockReceiver, [webhookId]);
    return locked.length === 0 ? [] : inside.query<Delivery>(claimHead, values);
  });
}

/** A receiver answers again: what waits is tried now. */
export async function hasten(sql: Sql, webhookId: string, now: number): Promise<void> {
  await sql.query('UPDATE outstanding SET due_at = $2 WHERE webhook_id = $1 AND due_at > $2', [
    webhookId,
    new Date(now),
  ]);
}

/** A webhook was enabled or leads elsewhere: what its receiver did before counts no more. */
export async function startAfresh(sql: Sql, webhookId: string, now: number): Promise<void> {
  await sql.query('DELETE FROM failing WHERE webhook_id = $1', [webhookId]);
  await hasten(sql, webhookId, now);
}

/** Deliveries that end in one statement, at most. */
const retireAtOnce = 5000;

/**
 * A webhook was disabled or deleted: what waits has failed (and can be replayed), or is forgotten with it.
 *
 * @returns whether there may be more
 */
export async function retire(sql: Sql, webhookId: string, now: number): Promise<boolean> {
  const [ended] = await sql.query<{ count: string }>(
    `WITH chosen AS MATERIALIZED (
       SELECT event_id FROM outstanding WHERE webhook_id = $1 AND due_at IS NOT NULL LIMIT $3 FOR UPDATE SKIP LOCKED
     ), gone AS (
       DELETE FROM outstanding o USING chosen c WHERE o.webhook_id = $1 AND o.event_id = c.event_id RETURNING o.*
     ), well AS (
       DELETE FROM failing WHERE webhook_id = $1
     ), failed AS (
       INSERT INTO deliveries (webhook_id, event_id, occurred_at, organization_id, sequence, kind, profile_id,
                               status, attempts, status_code, error, duration_ms, attempted_at, settled_at)
       SELECT g.webhook_id, g.event_id, g.occurred_at, g.organization_id, g.sequence, g.kind, g.profile_id,
              'failed', g.attempts, g.status_code, 'WEBHOOK_DISABLED', g.duration_ms, g.attempted_at, $2
         FROM gone g JOIN webhooks w ON w.id = g.webhook_id WHERE NOT w.deleted
       ON CONFLICT (webhook_id, event_id, occurred_at) DO UPDATE SET
         status = excluded.status, attempts = excluded.attempts, error = excluded.error, settled_at = excluded.settled_at
     )
     SELECT count(*) FROM gone`,
    [webhookId, new Date(now), retireAtOnce],
  );
  return Number(ended?.count) === retireAtOnce;
}

/** Deliveries that a dispatcher has in hand according to the table. */
export const claimedBy = (sql: Sql, dispatcherId: string): Promise<Pick<Delivery, 'webhookId' | 'eventId'>[]> =>
  sql.query('SELECT webhook_id AS "webhookId", event_id AS "eventId" FROM outstanding WHERE claimed_by = $1', [
    dispatcherId,
  ]);

/** Gives back what a dispatcher was believed to have in hand and has not. */
export async function freeStrays(
  sql: Sql,
  strays: readonly Pick<Delivery, 'webhookId' | 'eventId'>[],
  dispatcherId: string,
  now: number,
): Promise<void> {
  await sql.query(
    `UPDATE outstanding o SET claimed_by = NULL, due_at = $4 FROM unnest($1::uuid[], $2::uuid[]) AS s(webhook_id, event_id)
      WHERE o.webhook_id = s.webhook_id AND o.event_id = s.event_id AND o.claimed_by = $3`,
    [strays.map(({ webhookId }) => webhookId), strays.map(({ eventId }) => eventId), dispatcherId, new Date(now)],
  );
}
