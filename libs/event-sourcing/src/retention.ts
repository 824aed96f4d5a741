import type { Clock } from '@messaging-gateway/runtime';
import { databaseError } from '@messaging-gateway/runtime';
import type { Pool } from 'pg';
import { comparePlaces, placeOf, readCheckpoint, writeCheckpoint } from './checkpoints.ts';
import { forgetOnceKeys } from './forget-once-keys.ts';
import { deleteStreams, readLine, type ReadLine } from './delete-streams.ts';
import type { JournalPlace } from './journal-entry.ts';
import { inSchema } from './journal-migration.ts';
import { viewSql, type ViewSql } from './view-sql.ts';
import { streamCatalogue, type StreamCatalogue } from './event-codec.ts';
import type { AnyStreamType } from './stream-type.ts';

export interface RetentionOptions {
  readonly pool: Pool;
  readonly schema: string;
  readonly streams: readonly AnyStreamType[];
  readonly clock: Clock;
  /** `EVENT_RETENTION_DAYS`. */
  readonly days: number;
  /**
   * Where the consumers of this journal stand (relay, other services): what one of them has not read is kept.
   * undefined: it has not begun.
   */
  readonly readUpTo: readonly (JournalPlace | undefined)[];
  /** Aborted: it ends soon, and goes on the next time. */
  readonly signal?: AbortSignal;
}

interface Row {
  readonly old: boolean;
  readonly generation: number;
  readonly transaction_id: string;
  readonly position: string;
  readonly stream: string;
}

const portion = 1000;
const dayMs = 86_400_000;

/**
 * Deletes what is older than the retention: streams of types that end whose last event is old, and `once` keys. Keeps
 * whatever a consumer has not read yet. In small statements, beside everything else; call it now and then. It goes on where
 * it came to the last time: a stream that lives on is met again when its later events are old.
 *
 * @returns how many events were deleted
 */
export async function applyRetention(options: RetentionOptions): Promise<number> {
  const { pool, schema, days, clock, signal } = options;
  const before = new Date(clock.now() - days * dayMs);
  const catalogue = streamCatalogue(options.streams);
  let deleted = 0;
  try {
    const sql = viewSql(pool, schema);
    const line = readLine(options.readUpTo);
    const name = checkpointOf(options.streams);
    let place = await readCheckpoint(sql, schema, name);
    let done = place;
    for (let allOld = true; signal?.aborted !== true;) {
      const rows = await rowsAfter(options, place, before);
      // The journal is in the order of time but for what ran at the same moment: the first portion of young rows ends it.
      const last = rows.findLast((row) => row.old);
      if (last === undefined) break;
      const young = rows.findIndex((row) => !row.old);
      const end = young === -1 ? rows.at(-1) : rows[young - 1];
      if (allOld && end !== undefined) done = placeOf(end);
      allOld &&= young === -1;
      place = placeOf(rows.at(-1) ?? last);
      const ended = await endedOf(sql, catalogue, [...new Set(rows.map((row) => row.stream))]);
      if (ended.length > 0) deleted += (await deleteStreams(sql, schema, ended, { line, before })).events;
    }
    await goOnFrom(options, name, done, line);
    await forgetOnceKeys(pool, schema, before, signal);
    return deleted;
  } catch (error) {
    throw databaseError(error);
  }
}

/** The streams of types that end, and are not open any more. One that is open is met again when it has ended. */
async function endedOf(sql: ViewSql, catalogue: StreamCatalogue, streams: readonly string[]): Promise<string[]> {
  const byType = Map.groupBy(streams, (stream) => catalogue.typeOf(stream));
  const ended = [...byType].map(async ([type, some]) => {
    if (type?.ends !== true) return [];
    const idOf = (stream: string): string => stream.slice(type.name.length + 1);
    const open = new Set(await type.stillOpen?.(sql, some.map(idOf)));
    return some.filter((stream) => !open.has(idOf(stream)));
  });
  return (await Promise.all(ended)).flat();
}

/** Another set of types that end begins anew. */
const checkpointOf = (streams: readonly AnyStreamType[]): string =>
  `retention ${streams
    .filter((type) => type.ends === true)
    .map((type) => type.name)
    .toSorted()
    .join(' ')}`;

/** Notes where the next turn begins: entries that a consumer has not read yet are met again. */
async function goOnFrom(
  { pool, schema }: RetentionOptions,
  name: string,
  done: JournalPlace | undefined,
  line: ReadLine,
): Promise<void> {
  if (line === 'beginning' || done === undefined) return;
  const place = line !== undefined && comparePlaces(line, done) < 0 ? line : done;
  await writeCheckpoint(viewSql(pool, schema), schema, name, place);
}

async function rowsAfter(
  { pool, schema }: RetentionOptions,
  after: JournalPlace | undefined,
  before: Date,
): Promise<Row[]> {
  const { rows } = await pool.query<Row>(
    inSchema(
      `SELECT generation, transaction_id, position, stream, at < $4 AS old FROM {schema}.events
        WHERE (generation, transaction_id, position) > ($1::int, $2::text::xid8, $3::bigint)
        ORDER BY generation, transaction_id, position LIMIT $5`,
      schema,
    ),
    [after?.generation ?? 0, String(after?.transactionId ?? 0), String(after?.position ?? 0), before, portion],
  );
  return rows;
}
