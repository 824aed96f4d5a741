import type { Clock, Logger } from '@messaging-gateway/runtime';
import { Batcher, type ServiceTools, type Sql } from '@messaging-gateway/service';
import type { WebhooksSettings } from '../config.ts';
import { disableWebhook } from '../webhook/disabling.ts';
import type { Subscriptions } from '../webhook/subscriptions.ts';
import type { Delivery } from './delivery.ts';
import { hasten } from './outstanding.ts';

/** The settlement of a delivery that this process had in its hands. */
export interface Settlement {
  readonly delivery: Pick<Delivery, 'webhookId' | 'eventId'>;
  /** released: given back untouched. retry: waits until `dueAt`. */
  readonly status: 'delivered' | 'failed' | 'retry' | 'released';
  readonly attempts: number;
  readonly dueAt: number | undefined;
  readonly statusCode: number | undefined;
  readonly error: string | undefined;
  readonly durationMs: number | undefined;
  readonly attemptedAt: number | undefined;
  /** State of the receiver according to the attempt; undefined: unknown. */
  readonly receiver: 'up' | 'failing' | 'down' | undefined;
}

/** How a receiver stands after the batch. */
export interface ReceiverState {
  readonly webhookId: string;
  /** Time since which all attempts have failed; undefined: the last attempt was delivered. */
  readonly failingSince: Date | undefined;
  readonly isDown: boolean;
  /** Whether it counted as down and answers again. */
  readonly recovered: boolean;
}

export interface OutcomesParts {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly log: Logger;
  readonly dispatcherId: () => string;
  readonly onKept: (settlements: readonly Settlement[], states: readonly ReceiverState[]) => void;
  /** The process stops and the database is away. */
  readonly ended: () => boolean;
}

const batchLimit = 200;
const tryAgainMs = 500;

/** Writes down what came of deliveries, many at once. */
export class Outcomes {
  readonly #parts: OutcomesParts;
  readonly #batcher: Batcher<Settlement, void>;

  constructor(parts: OutcomesParts) {
    this.#parts = parts;
    this.#batcher = new Batcher((settlements) => this.#keep(settlements), batchLimit);
  }

  /** Keeps at it until the database is there: what has arrived must not be sent again. */
  async settle(settlement: Settlement): Promise<void> {
    const { webhookId, eventId } = settlement.delivery;
    for (;;) {
      try {
        return await this.#batcher.add(settlement);
      } catch (error) {
        this.#parts.log.warn('Outcome of a delivery not kept yet', { webhookId, eventId, reason: String(error) });
        if (this.#parts.ended()) return;
        await new Promise((resolve) => setTimeout(resolve, tryAgainMs));
      }
    }
  }

  idle(): Promise<void> {
    return this.#batcher.idle();
  }

  async #keep(settlements: readonly Settlement[]): Promise<void[]> {
    const { sql, clock, dispatcherId, onKept } = this.#parts;
    const states = await keepSettlements(sql, settlements, dispatcherId(), clock.now());
    onKept(settlements, states);
    return settlements.map(() => undefined);
  }
}

/**
 * One statement for a batch: what is done moves to the settled deliveries, the rest waits again, receivers are marked
 * as failing or well. A delivery that another process has taken over meanwhile is only touched when it is done.
 */
const settle = `
  WITH given AS MATERIALIZED (
    SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::int[], $5::timestamptz[], $6::int[], $7::text[], $8::int[], $9::timestamptz[])
      AS g(webhook_id, event_id, status, attempts, due_at, status_code, error, duration_ms, attempted_at)
  ), gone AS (
    DELETE FROM outstanding o USING given g
     WHERE o.webhook_id = g.webhook_id AND o.event_id = g.event_id AND g.status IN ('delivered', 'failed')
    RETURNING o.webhook_id, o.event_id, o.occurred_at, o.organization_id, o.sequence, o.kind, o.profile_id,
              g.status, g.attempts, g.status_code, g.error, g.duration_ms, coalesce(g.attempted_at, o.attempted_at) AS attempted_at
  ), waiting AS (
    UPDATE outstanding o
       SET due_at = g.due_at, claimed_by = NULL, attempts = g.attempts,
           status_code = CASE WHEN g.attempted_at IS NULL THEN o.status_code ELSE g.status_code END,
           error = coalesce(g.error, o.error), duration_ms = coalesce(g.duration_ms, o.duration_ms),
           attempted_at = coalesce(g.attempted_at, o.attempted_at)
      FROM given g
     WHERE o.webhook_id = g.webhook_id AND o.event_id = g.event_id AND g.status IN ('retry', 'released') AND o.claimed_by = $10
  ), settled AS (
    INSERT INTO deliveries (webhook_id, event_id, occurred_at, organization_id, sequence, kind, profile_id,
                            status, attempts, status_code, error, duration_ms, attempted_at, settled_at)
    SELECT gone.*, $11::timestamptz FROM gone
    ON CONFLICT (webhook_id, event_id, occurred_at) DO UPDATE SET
      status = excluded.status, attempts = excluded.attempts, status_code = excluded.status_code, error = excluded.error,
      duration_ms = excluded.duration_ms, attempted_at = excluded.attempted_at, settled_at = excluded.settled_at
  ), receivers AS MATERIALIZED (
    SELECT * FROM unnest($12::uuid[], $13::boolean[], $14::boolean[]) AS r(webhook_id, well, down)
  ), before AS MATERIALIZED (
    SELECT f.webhook_id, f.open FROM failing f JOIN receivers r USING (webhook_id) WHERE r.well
  ), well AS (
    DELETE FROM failing f USING before b WHERE f.webhook_id = b.webhook_id
  ), ill AS (
    INSERT INTO failing AS f (webhook_id, failing_since, open)
    SELECT webhook_id, $11, down FROM receivers WHERE NOT well ORDER BY webhook_id
    ON CONFLICT (webhook_id) DO UPDATE SET open = f.open OR excluded.open
    RETURNING webhook_id, failing_since, open
  )
  SELECT webhook_id AS "webhookId", failing_since AS "failingSince", open AS "isDown", false AS recovered FROM ill
  UNION ALL
  SELECT webhook_id, NULL, false, open FROM before`;

interface StateRow {
  readonly webhookId: string;
  readonly failingSince: Date | null;
  readonly isDown: boolean;
  readonly recovered: boolean;
}

/** Writes down what came of a batch of deliveries. @returns receivers that fail, or that failed until now */
async function keepSettlements(
  sql: Sql,
  settlements: readonly Settlement[],
  dispatcherId: string,
  now: number,
): Promise<ReceiverState[]> {
  const receivers = receiversOf(settlements);
  const rows = await sql.query<StateRow>(settle, [
    settlements.map(({ delivery }) => delivery.webhookId),
    settlements.map(({ delivery }) => delivery.eventId),
    settlements.map(({ status }) => status),
    settlements.map(({ attempts }) => attempts),
    settlements.map(({ dueAt }) => dateOf(dueAt)),
    settlements.map(({ statusCode }) => statusCode ?? null),
    settlements.map(({ error }) => error ?? null),
    settlements.map(({ durationMs }) => durationMs ?? null),
    settlements.map(({ attemptedAt }) => dateOf(attemptedAt)),
    dispatcherId,
    new Date(now),
    [...receivers.keys()],
    [...receivers.values()].map((state) => state === 'up'),
    [...receivers.values()].map((state) => state === 'down'),
  ]);
  return rows.map((row) => ({ ...row, failingSince: row.failingSince ?? undefined }));
}

/** One word for each receiver of a batch: a delivery that arrived outweighs failures, for it is not down. */
function receiversOf(settlements: readonly Settlement[]): Map<string, 'up' | 'failing' | 'down'> {
  const rank = { failing: 0, down: 1, up: 2 };
  const receivers = new Map<string, 'up' | 'failing' | 'down'>();
  for (const { delivery, receiver } of settlements) {
    if (receiver === undefined) continue;
    const known = receivers.get(delivery.webhookId);
    if (known === undefined || rank[receiver] > rank[known]) receivers.set(delivery.webhookId, receiver);
  }
  return receivers;
}

const dateOf = (time: number | undefined): Date | null => (time === undefined ? null : new Date(time));

type Parts = Pick<ServiceTools<WebhooksSettings>, 'sql' | 'store' | 'clock' | 'log' | 'settings'> & {
  readonly subscriptions: Subscriptions;
};

const hourMs = 3_600_000;

/**
 * Hastens what waits when a receiver answers again; disables a webhook when its receiver has failed for
 * WEBHOOK_DISABLE_AFTER_HOURS.
 *
 * @returns whether something that waits has changed
 */
export async function lookAfterReceiver(
  parts: Parts,
  { webhookId, recovered, failingSince }: ReceiverState,
): Promise<boolean> {
  const { sql, clock, settings, subscriptions } = parts;
  if (recovered) await hasten(sql, webhookId, clock.now());
  const { disableAfterHours } = settings;
  if (failingSince === undefined || disableAfterHours === 0) return recovered;
  if (clock.now() - failingSince.getTime() < disableAfterHours * hourMs) return recovered;
  const webhook = await subscriptions.get(webhookId, 0);
  if (webhook?.enabled !== true) return recovered;
  await disableWebhook(parts, webhookId, webhook, 'FAILING');
  return true;
}
