import { setTimeout as sleep } from 'node:timers/promises';
import { databaseError, isLost, isUnavailable, Unavailable } from '@messaging-gateway/runtime';
import type { Pool, PoolClient } from 'pg';
import { appendStatements } from './append-statement.ts';
import { batchParameters } from './batch-parameters.ts';
import type { AppendGuard, InlineView } from './inline-view.ts';
import { ownWrites, resendAfter } from './own-writes.ts';
import type { JournalPlace } from './journal-entry.ts';
import type { JournalLine } from './journal-line.ts';
import type { Group, Outcome } from './pending-command.ts';

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
  /** Something was sent whose fate is not known. */
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
