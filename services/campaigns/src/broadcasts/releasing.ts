import type { Sql } from '@messaging-gateway/service';
import { together } from './together.ts';

/** A recipient whose turn comes. */
export interface Candidate {
  readonly place: number;
  readonly zone: string;
  readonly jid: string | null;
  readonly lid: string | null;
  readonly phone: string | null;
  readonly name: string | null;
  readonly fields: Readonly<Record<string, string>>;
  readonly variant: number | null;
  readonly contact_id: string | null;
  readonly message_id: string;
  readonly round: number;
}

/** A recipient whose message was released. */
export interface Released extends Candidate {
  readonly status: 'released' | 'unknown';
  readonly released_at: Date;
}

/** Turn of a recipient. Times in milliseconds since 1970. */
export interface Turn {
  readonly broadcastId: string;
  readonly place: number;
  /** Between the outcome of the message and the next one, milliseconds. */
  readonly pauseMs: number;
  readonly now: number;
  readonly lookAt: number;
}

/** Columns of `audience` that make a candidate. */
export const candidateColumns = 'place, zone, jid, lid, phone, name, fields, variant, contact_id, message_id, round';
/** `candidateColumns`, each with the name of the table before it. */
export const columnsOf = (table: string): string => candidateColumns.replaceAll(/(\w+)/g, `${table}.$1`);

/**
 * SQL: releases recipients ($2) of different broadcasts ($1), each if its broadcast runs, nothing else of it is on its way, and nobody
 * has taken the recipient out; with the pauses after them ($3), now ($4), and when to look again ($5).
 */
const releasing = `WITH asked AS MATERIALIZED (
   SELECT * FROM unnest($1::uuid[], $2::int[], $3::int[], $4::timestamptz[], $5::timestamptz[])
     AS asked (broadcast_id, place, pause_ms, released_at, look_at)),
 held AS MATERIALIZED (
   SELECT b.broadcast_id, b.audience_id FROM broadcasts b
    WHERE b.broadcast_id IN (SELECT asked.broadcast_id FROM asked) AND b.held_by IS NULL
      AND (b.status = 'running' OR (b.status = 'paused' AND b.paused_reason = 'daily_limit'))
      FOR UPDATE OF b {waits}),
 taken AS (
   UPDATE audience a SET status = 'released', released_at = asked.released_at FROM held JOIN asked USING (broadcast_id)
    WHERE a.audience_id = held.audience_id AND a.place = asked.place AND a.status = 'pending'
   RETURNING a.broadcast_id, a.status, a.released_at, asked.pause_ms, asked.look_at, ${columnsOf('a')}),
 noted AS (
   UPDATE broadcasts b SET open = b.open + 1, held_by = taken.message_id, pause_ms = taken.pause_ms, next_look_at = taken.look_at,
      waiting = NULL, waiting_until = NULL, waiting_since = NULL
     FROM taken WHERE b.broadcast_id = taken.broadcast_id)
 SELECT broadcast_id, status, released_at, ${candidateColumns} FROM taken`;
/** Waits for whatever is being done with the broadcast. */
const alone = releasing.replaceAll('{waits}', '');
/** Passes over a broadcast that something is being done with. */
const shared = releasing.replaceAll('{waits}', 'SKIP LOCKED');

/**
 * Releases recipients, those of all broadcasts of the process together. A broadcast that something else is being done with at that
 * moment keeps no other waiting: its turn has a statement of its own.
 *
 * @returns undefined when it is not the turn of this one
 */
export function releases(sql: Sql): (turn: Turn) => Promise<Released | undefined> {
  const run = async (text: string, turns: readonly Turn[]): Promise<(Released | undefined)[]> => {
    const rows = await sql.query<Released & { readonly broadcast_id: string }>(text, [
      turns.map(({ broadcastId }) => broadcastId),
      turns.map(({ place }) => place),
      turns.map(({ pauseMs }) => pauseMs),
      turns.map(({ now }) => new Date(now)),
      turns.map(({ lookAt }) => new Date(lookAt)),
    ]);
    const byBroadcast = new Map(rows.map((row) => [row.broadcast_id, row]));
    return turns.map(({ broadcastId }) => byBroadcast.get(broadcastId));
  };
  const all = together<Turn, Released | undefined>(
    ({ broadcastId }) => broadcastId,
    (turns) => run(shared, turns),
  );
  return async (turn) => (await all.add(turn)) ?? (await run(alone, [turn]))[0];
}
