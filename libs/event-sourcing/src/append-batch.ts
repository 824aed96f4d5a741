import { setTimeout as sleep } from 'node:timers/promises';
import { databaseError, isLost, isUnavailable, Unavailable, jsonCopy } from '@messaging-gateway/runtime';
import type { Pool, PoolClient } from 'pg';
import { type BatchShape, appendStatements, isKeptAsIs, jsonText } from './append-statement.ts';
import type { Group, Outcome, NewEvent } from './decide-group.ts';
import type { AppendGuard, InlineView } from './view.ts';
import type { JournalPlace, JournalEntry } from './journal-entry.ts';
import type { JournalLine } from './journal-line.ts';
import { inSchema } from './journal-migration.ts';

/** Outcome of a group; `split`: its commands are to be written one by one, as something in it is at fault. */
export type GroupOutcome = Outcome | 'split' | { readonly error: unknown };

/** A batch that is settled. */
export interface Written {
  /** Outcomes of the groups, in their order. */
  readonly outcomes: readonly GroupOutcome[];
  /** The places of each group's events, none where nothing went in; absent when the statement itself was not heard of. */
  readonly places?: readonly (readonly JournalPlace[])[];
}

/** Writes groups with one statement and finds out what became of each, whatever happens to the connection. */
export interface BatchWriter {
  /** Never rejects. `stuck` is called when it must wait for the database to come back. */
  write(groups: readonly Group[], stuck: () => void): Promise<Written>;
}

interface BatchWriterOptions {
  readonly pool: Pool;
  readonly schema: string;
  readonly guards: readonly AppendGuard[];
  readonly views: readonly InlineView[];
  readonly line: Pick<JournalLine, 'look' | 'seen'>;
  /** Aborted when the store gives up what it cannot settle. */
  readonly signal: AbortSignal;
}

interface Sending {
  /** Whether a statement was sent whose fate is not known. */
  resent: boolean;
  readonly stuck: () => void;
}

interface Row {
  readonly command: number;
  readonly outcome: Outcome;
  readonly generation: number | null;
  readonly transaction_id: string | null;
  readonly positions: readonly string[];
}

interface Query {
  readonly name: string;
  readonly text: string;
  readonly values: string[];
}

/** Rolled back by PostgreSQL for no fault of the statement: deadlock, serialization, lock and statement timeout. */
const againCodes = new Set(['40P01', '40001', '55P03', '57014']);
const attempts = 5;

export function batchWriter({ pool, schema, guards, views, line, signal }: BatchWriterOptions): BatchWriter {
  const statements = appendStatements(schema, guards, views);

  const write = async (groups: readonly Group[], sending: Sending): Promise<Written> => {
    try {
      const { shape, values } = batchParameters(groups, guards, views, groups[0]?.generation ?? 0);
      const rows = await send({ ...statements(shape), values }, sending);
      // All in vain: rivals, or another generation.
      if (rows.length === 0) await line.look().catch(() => undefined);
      const written = writtenBy(rows, groups.length);
      const place = written.places?.find((some) => some.length > 0)?.[0];
      if (place !== undefined) line.seen(place.transactionId);
      return sending.resent ? { outcomes: await settled(groups, written.outcomes) } : written;
    } catch (error) {
      if (error instanceof Unavailable) return { outcomes: groups.map(() => ({ error })) };
      return { outcomes: await afterFault(groups, error, sending) };
    }
  };

  /** Runs the statement until it is known what it did. @throws Unavailable when it did nothing, or the store gave up */
  const send = async (query: Query, sending: Sending): Promise<readonly Row[]> => {
    for (let attempt = 1; ; attempt += 1) {
      let client: PoolClient | undefined;
      try {
        client = await pool.connect();
        const { rows } = await client.query<Row>(query);
        client.release();
        return rows;
      } catch (error) {
        // A session that was begun while the server was read-only stays so: a new one is not.
        client?.release(isUnavailable(error));
        if (isLost(error)) {
          const known = client === undefined && !sending.resent;
          if (known) throw databaseError(error);
          if (signal.aborted)
            throw new Unavailable('The database went away: it is not known whether this was written.', {
              cause: error,
            });
          // It may be written or not, or be about to be: the same again tells, as it can go in only once.
          sending.resent = true;
          sending.stuck();
          await sleep(resendAfter(attempt));
        } else if (againCodes.has(sqlState(error)) && attempt < attempts) {
          await sleep(Math.random() * 20 * attempt);
        } else throw error;
      }
    }
  };

  /** Rolled back as a whole: the groups are written one by one, so that only the one at fault hears of it. */
  const afterFault = async (groups: readonly Group[], error: unknown, sending: Sending): Promise<GroupOutcome[]> => {
    const outcomes: GroupOutcome[] = [];
    if (groups.length > 1) {
      for (const group of groups) outcomes.push(...(await write([group], { ...sending })).outcomes);
      return outcomes;
    }
    const overtaken = sqlState(error) === 'MG001' || (error as { constraint?: string }).constraint === 'once_key';
    for (const { decided } of groups) outcomes.push(overtaken ? 'conflict' : decided.length > 1 ? 'split' : { error });
    if (!sending.resent) return outcomes;
    return settled(groups, outcomes).catch((cause: unknown) => groups.map(() => ({ error: cause })));
  };

  /** Tells what an earlier attempt had written from what a rival wrote. */
  const settled = async (groups: readonly Group[], outcomes: readonly GroupOutcome[]): Promise<GroupOutcome[]> => {
    const own = await ownWrites(pool, schema, groups, signal);
    return groups.map((group, index) => (own.has(group.stream) ? 'appended' : (outcomes[index] ?? 'conflict')));
  };

  return { write: (groups, stuck) => write(groups, { resent: false, stuck }) };
}

/** Outcomes that a statement has told: groups that it does not name met a rival. */
function writtenBy(rows: readonly Row[], count: number): Written {
  const outcomes: GroupOutcome[] = Array.from({ length: count }, () => 'conflict');
  const places: JournalPlace[][] = Array.from({ length: count }, () => []);
  for (const { command, outcome, generation, transaction_id, positions } of rows) {
    outcomes[command] = outcome;
    if (generation === null || transaction_id === null) continue;
    const transactionId = BigInt(transaction_id);
    places[command] = positions.map((position) => ({ generation, transactionId, position: BigInt(position) }));
  }
  return { outcomes, places };
}

/** A writer that tells of each batch how many groups it had and how many met a rival. */
export function observed(
  { write }: BatchWriter,
  onWritten: (streams: number, conflicts: number) => void = () => undefined,
): BatchWriter {
  return {
    write: async (groups, stuck) => {
      const written = await write(groups, stuck);
      onWritten(groups.length, written.outcomes.filter((outcome) => outcome === 'conflict').length);
      return written;
    },
  };
}

const sqlState = (error: unknown): string => String((error as { code?: unknown }).code);

/** The shape of a batch, and its parameters: one JSON text for each relation that the statement reads. */
function batchParameters(
  groups: readonly Group[],
  guards: readonly AppendGuard[],
  views: readonly InlineView[],
  generation: number,
): { shape: BatchShape; values: string[] } {
  const keys = groups.flatMap((group, c) =>
    group.keys.map((k) => ({ c, k, a: group.events[0]?.recorded.at.getTime() })),
  );
  const requests = guards.map(({ name }) =>
    groups.flatMap(({ guard }, command) => (guard?.name === name ? [{ command, request: guard.request }] : [])),
  );
  const rows = views.map((_, view) => rowsOf(groups, view));
  const used = (lists: readonly (readonly object[])[]): number[] =>
    lists.flatMap((list, at) => (list.length > 0 ? [at] : []));
  const shape = {
    rest: groups.some((group) => group.events.length > 1),
    keys: keys.length > 0,
    guards: used(requests),
    views: used(rows),
  };
  const relations = [
    ...(shape.keys ? [keys] : []),
    ...shape.guards.map((at) => requests[at]),
    ...shape.views.map((at) => rows[at]),
  ];
  return { shape, values: [jsonText(eventsOf(groups)), String(generation), ...relations.map(jsonText)] };
}

function eventsOf(groups: readonly Group[]): object[] {
  const events: object[] = [];
  groups.forEach(({ stream, before, events: some }, c) => {
    some.forEach(({ recorded, schemaVersion, stored, storedMetadata, appendId }, index) => {
      events.push({
        c,
        s: stream,
        b: before.version,
        ...(index === 0 && { p: before.appendId }),
        n: index + 1,
        t: recorded.type,
        v: schemaVersion,
        i: appendId,
        d: stored,
        m: storedMetadata,
        a: recorded.at.getTime(),
      });
    });
  });
  return events;
}

function rowsOf(groups: readonly Group[], view: number): object[] {
  const rows: object[] = [];
  groups.forEach((group, command) => {
    for (const one of group.decided)
      for (const row of one.rows[view] ?? []) rows.push({ command, ordinal: rows.length, row });
  });
  return rows;
}

const text = `SELECT e.stream FROM unnest($1::text[], $2::int[], $3::bigint[]) AS x(s, v, i)
  JOIN {schema}.events e ON e.stream = x.s AND e.version = x.v AND e.append_id = x.i`;

/**
 * Which of these groups stand in the journal as this process wrote them. Asks until the database answers.
 *
 * @param signal aborted when the store gives up
 * @throws Unavailable when it was given up
 */
async function ownWrites(
  pool: Pool,
  schema: string,
  groups: readonly Group[],
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const values = [
    groups.map((group) => group.stream),
    groups.map((group) => group.before.version + 1),
    groups.map((group) => group.events[0]?.appendId),
  ];
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { rows } = await pool.query<{ stream: string }>(inSchema(text, schema), values);
      return new Set(rows.map((row) => row.stream));
    } catch (error) {
      if (signal.aborted || !isLost(error)) throw databaseError(error);
      await sleep(resendAfter(attempt));
    }
  }
}

/** Milliseconds until the next attempt. */
const resendAfter = (attempt: number): number => Math.min(50 * attempt, 500);

/**
 * Entries that a statement has appended, as the journal gives them back and in its order.
 *
 * @param appended the events of the groups that went in, group by group
 * @returns undefined when that is not known without reading it
 */
export function entriesWritten(
  appended: readonly NewEvent[],
  { places }: Pick<Written, 'places'>,
): readonly JournalEntry[] | undefined {
  const given = places?.flat() ?? [];
  if (given.length !== appended.length) return undefined;
  const entries: JournalEntry[] = [];
  for (const [index, { recorded }] of appended.entries()) {
    const [place, data, metadata] = [given[index], jsonCopy(recorded.data), jsonCopy(recorded.metadata)];
    if (place === undefined || !isKeptAsIs(data) || !isKeptAsIs(metadata)) return undefined;
    entries.push({ ...recorded, place, data, metadata });
  }
  return entries.sort((a, b) => (a.place.position < b.place.position ? -1 : 1));
}
