import type { EventEnvelope } from '@messaging-gateway/contracts';
import { Batcher, type Sql } from '@messaging-gateway/service';
import { isRecorded } from '@messaging-gateway/tracing';
import type { Claimant, FannedOut } from '../delivery/delivery.ts';
import { toldToAll } from '../webhook/told-to-all.ts';
import { toldEvent } from './event-log.ts';

export interface IntakeParts {
  readonly sql: Sql;
  readonly now: () => number;
  readonly claimant: () => Claimant;
  readonly onLogged: (organizations: ReadonlySet<string>, deliveries: readonly FannedOut[], claimant: Claimant) => void;
  /** The statement failed; it may have been committed all the same. */
  readonly onBroken: () => void;
}

/** Events in one statement, at most. */
const batchLimit = 500;
/** Events come in the portions in which the journals are read: those of several journals share a statement. */
const restMs = 15;

/**
 * One statement logs a batch of events and fans them out: sequences per organization (rows locked in order, so that
 * two batches never wait for each other), log rows unless they are there, and a delivery for each matching webhook of
 * each row that was new. So a repeated event leads to nothing.
 *
 * A sequence is at least the microseconds since 1970 of the server's clock: after a restore those that are given out stand
 * behind all that were given out before it, so that a cursor from before it skips nothing.
 */
const logAndFanOut = `
  WITH incoming AS MATERIALIZED (
    SELECT * FROM unnest($1::uuid[], $2::timestamptz[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::text[], $11::text[])
      WITH ORDINALITY AS i(id, occurred_at, organization_id, profile_id, kind, body, source_sequence, traceparent, place)
  ), moment AS MATERIALIZED (
    SELECT floor(extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS at
  ), heads AS (
    INSERT INTO log_heads AS h (organization_id, last)
    SELECT organization_id, (SELECT at FROM moment) + count(*) FROM incoming GROUP BY organization_id ORDER BY organization_id
    ON CONFLICT (organization_id) DO UPDATE SET last = greatest(excluded.last, h.last + excluded.last - (SELECT at FROM moment))
    RETURNING organization_id, last
  ), logged AS (
    INSERT INTO event_log (organization_id, sequence, id, occurred_at, profile_id, kind, body, source_sequence, traceparent, logged_at)
    SELECT i.organization_id, h.last + 1 - row_number() OVER (PARTITION BY i.organization_id ORDER BY i.place DESC),
           i.id, i.occurred_at, i.profile_id, i.kind, i.body, i.source_sequence, i.traceparent, $8::timestamptz
      FROM incoming i JOIN heads h USING (organization_id) ORDER BY i.place
    ON CONFLICT (id, occurred_at) DO NOTHING
    RETURNING organization_id, sequence, id, occurred_at, profile_id, kind
  ), matching AS (
    SELECT w.id AS webhook_id, w.version, l.*,
           $9::uuid IS NOT NULL AND NOT (w.id = ANY ($10::uuid[])) AND NOT coalesce(f.open, false) AS direct
      FROM logged l
      JOIN webhooks w ON w.organization_id = l.organization_id AND w.enabled
       AND w.events && ARRAY['*', split_part(l.kind, '.', 1) || '.*', l.kind]
       AND (w.profile_ids = '{}' OR l.profile_id = ANY (w.profile_ids)) ${toldToAll('l.kind')}
      LEFT JOIN failing f ON f.webhook_id = w.id
  ), fanned AS (
    INSERT INTO outstanding (webhook_id, event_id, occurred_at, organization_id, sequence, kind, profile_id, due_at, claimed_by, created_at)
    SELECT webhook_id, id, occurred_at, organization_id, sequence, kind, profile_id,
           CASE WHEN direct THEN NULL ELSE $8::timestamptz END, CASE WHEN direct THEN $9::uuid END, $8::timestamptz FROM matching
    ON CONFLICT (webhook_id, event_id) DO NOTHING
  )
  SELECT webhook_id AS "webhookId", version AS "webhookVersion", id AS "eventId", direct AS claimed FROM matching ORDER BY sequence`;

type Row = Pick<FannedOut, 'webhookId' | 'webhookVersion' | 'eventId' | 'claimed'>;

/** Takes public events in: a log row each, and deliveries. Resolves once that is committed. */
export class Intake {
  readonly #parts: IntakeParts;
  readonly #batcher: Batcher<EventEnvelope, void>;

  constructor(parts: IntakeParts) {
    this.#parts = parts;
    this.#batcher = new Batcher(
      (events) => this.#write(events),
      batchLimit,
      restMs,
      ({ type, key }) => `${type} ${key}`,
    );
  }

  take(event: EventEnvelope): Promise<void> {
    return this.#batcher.add(event);
  }

  async #write(events: readonly EventEnvelope[]): Promise<void[]> {
    const { onLogged, onBroken, claimant } = this.#parts;
    const claiming = claimant();
    const bodies = events.map((event) => JSON.stringify(toldEvent(event)));
    try {
      const rows = await this.#log(events, bodies, claiming);
      const organizations = new Set(events.map(({ organizationId }) => organizationId));
      onLogged(organizations, joined(rows, events, bodies), claiming);
    } catch (error) {
      onBroken();
      throw error;
    }
    return events.map(() => undefined);
  }

  #log(events: readonly EventEnvelope[], bodies: readonly string[], { dispatcherId, full }: Claimant): Promise<Row[]> {
    const { sql, now } = this.#parts;
    return sql.query<Row>(logAndFanOut, [
      events.map(({ id }) => id),
      events.map(({ time }) => time),
      events.map(({ organizationId }) => organizationId),
      events.map(({ profileId }) => profileId ?? null),
      events.map(({ type }) => type),
      bodies,
      events.map(({ sequence }) => sequence),
      new Date(now()),
      dispatcherId ?? null,
      full,
      events.map((event) => traceOf(event) ?? null),
    ]);
  }
}

const traceOf = ({ traceparent }: EventEnvelope): string | undefined =>
  isRecorded(traceparent) ? traceparent : undefined;

function joined(rows: readonly Row[], events: readonly EventEnvelope[], bodies: readonly string[]): FannedOut[] {
  if (rows.length === 0) return [];
  const places = new Map(events.map(({ id }, place) => [id, place]));
  return rows.map((row) => {
    const place = places.get(row.eventId) ?? -1;
    const event = events[place] as EventEnvelope;
    const { type: kind, time, organizationId, sequence: sourceSequence } = event;
    const occurredAt = new Date(time);
    return {
      ...row,
      organizationId,
      occurredAt,
      profileId: event.profileId ?? null,
      kind,
      body: bodies[place] ?? '',
      sourceSequence,
      traceparent: traceOf(event),
    };
  });
}
