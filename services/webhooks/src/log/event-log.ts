import type { EventEnvelope, ToldEvent } from '@messaging-gateway/contracts';
import type { PersonalSection, Sql } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import { toldToAll } from '../webhook/told-to-all.ts';

/** Owner of the events: an API key may be limited to some profiles and then sees only what concerns these. */
export interface LogScope {
  readonly organizationId: string;
  readonly profileIds?: readonly string[] | undefined;
  /** Absent: all that webhooks are told. */
  readonly kinds?: readonly string[] | undefined;
}

export interface LogPage {
  /** Bodies as webhooks get them, JSON. */
  readonly bodies: readonly string[];
  /** Where the next page begins. */
  readonly next: bigint;
}

/** Sequence before the first event. */
export const beginning = 0n;

/** The sequence of the newest event of an organization. */
export async function lastSequence(sql: Sql, organizationId: string): Promise<bigint> {
  const [head] = await sql.query<{ last: string }>('SELECT last FROM log_heads WHERE organization_id = $1', [
    organizationId,
  ]);
  return head === undefined ? beginning : BigInt(head.last);
}

/** The sequence of an event, undefined when it is not kept (any more). */
export async function sequenceOf(sql: Sql, organizationId: string, eventId: string): Promise<bigint | undefined> {
  const [row] = await sql.query<{ sequence: string }>(
    'SELECT sequence FROM event_log WHERE id = $2 AND organization_id = $1',
    [organizationId, eventId],
  );
  return row === undefined ? undefined : BigInt(row.sequence);
}

/**
 * The events after a sequence, oldest first. Sequences are committed in their order, so nothing appears later behind
 * the place that is returned.
 */
export async function readLog(
  sql: Sql,
  scope: LogScope,
  after: bigint,
  limit: number,
  lastOf: (organizationId: string) => Promise<bigint> = (id) => lastSequence(sql, id),
): Promise<LogPage> {
  // Read before the rows: whatever it covers is visible to the second statement.
  const last = await lastOf(scope.organizationId);
  if (last <= after) return { bodies: [], next: after };
  const rows = await sql.query<{ sequence: string; body: string }>(
    `SELECT sequence, body FROM event_log
      WHERE organization_id = $1 AND sequence > $2 AND ($3::uuid[] IS NULL OR profile_id = ANY ($3))
       AND ($5::text[] IS NULL OR kind = ANY ($5)) ${scope.kinds === undefined ? toldToAll('kind') : ''} ORDER BY sequence LIMIT $4`,
    [scope.organizationId, String(after), scope.profileIds ?? null, limit, scope.kinds ?? null],
  );
  const end = rows.at(-1);
  const read = end === undefined ? beginning : BigInt(end.sequence);
  return { bodies: rows.map(({ body }) => body), next: rows.length === limit || read > last ? read : last };
}

/** The events before a sequence, newest first; `next` is the oldest of them. */
export async function readLogBack(sql: Sql, scope: LogScope, before: bigint, limit: number): Promise<LogPage> {
  const rows = await sql.query<{ sequence: string; body: string }>(
    `SELECT sequence, body FROM event_log
      WHERE organization_id = $1 AND sequence < $2 AND ($3::uuid[] IS NULL OR profile_id = ANY ($3))
       ${toldToAll('kind')} ORDER BY sequence DESC LIMIT $4`,
    [scope.organizationId, String(before), scope.profileIds ?? null, limit],
  );
  const end = rows.at(-1);
  return { bodies: rows.map(({ body }) => body), next: end === undefined ? before : BigInt(end.sequence) };
}

/** The body of an event, as webhooks get it and `GET /events` shows it. */
export const toldEvent = (event: EventEnvelope): Static<typeof ToldEvent> => ({
  id: event.id,
  event: event.type,
  timestamp: event.time,
  profileId: event.profileId ?? null,
  data: event.data as Record<string, unknown>,
});

/** For the export of an organization's data: in the order of their numbers, which keys hold with leading zeros. */
export const eventsSection: PersonalSection = {
  name: 'events',
  ofOrganization: true,
  sql: `
    SELECT lpad(sequence::text, 20, '0') AS key, body::jsonb AS item
      FROM event_log WHERE organization_id = $1 AND $2::uuid IS NOT NULL AND sequence > coalesce(nullif($3, '')::bigint, 0)
     ORDER BY sequence LIMIT $4`,
};
