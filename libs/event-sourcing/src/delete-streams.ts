import type { ViewSql } from './view-sql.ts';
import { comparePlaces } from './checkpoints.ts';
import type { JournalPlace } from './journal-entry.ts';
import { inSchema } from './journal-migration.ts';

/** Up to where all consumers of a journal have read it. undefined: nobody reads it. */
export type ReadLine = JournalPlace | 'beginning' | undefined;

/** @param readUpTo where consumers stand; undefined: one of them has not begun */
export function readLine(readUpTo: readonly (JournalPlace | undefined)[]): ReadLine {
  return readUpTo.includes(undefined) ? 'beginning' : readUpTo.toSorted(comparePlaces)[0];
}

export interface Deleted {
  /** Streams of which there is nothing any more. */
  readonly streams: readonly string[];
  /** Events that were deleted. */
  readonly events: number;
}

export interface DeleteOptions {
  /** The line up to which all consumers have read: what lies behind it is kept. */
  readonly line: ReadLine;
  /** Streams with an event since then are kept. Absent: their age does not matter. */
  readonly before?: Date;
}

/** Deletes streams with their snapshots; of those that not everybody has read to their end, none of it. */
export async function deleteStreams(
  sql: ViewSql,
  schema: string,
  streams: readonly string[],
  { line, before }: DeleteOptions,
): Promise<Deleted> {
  if (line === 'beginning') return { streams: [], events: 0 };
  const [deleted] = await sql.query<Deleted>(
    inSchema(
      `WITH ended AS MATERIALIZED (
         SELECT s.stream FROM unnest($1::text[]) AS s(stream)
          WHERE NOT EXISTS (
            SELECT FROM {schema}.events y WHERE y.stream = s.stream
               AND (y.at >= $2::timestamptz OR (y.generation, y.transaction_id, y.position) > ($3::int, $4::text::xid8, $5::bigint)))
       ), snapshots AS (
         DELETE FROM {schema}.snapshots n USING ended WHERE n.stream = ended.stream
       ), gone AS (
         DELETE FROM {schema}.events e USING ended WHERE e.stream = ended.stream RETURNING 1
       )
       SELECT (SELECT coalesce(array_agg(stream), '{}') FROM ended) AS streams, (SELECT count(*)::int FROM gone) AS events`,
      schema,
    ),
    [streams, before ?? null, line?.generation, line?.transactionId.toString(), line?.position.toString()],
  );
  return deleted ?? { streams: [], events: 0 };
}
