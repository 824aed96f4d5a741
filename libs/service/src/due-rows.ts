import { type Clock, settledWithin } from '@messaging-gateway/runtime';
import { every, faultTeller, type JobTools, type PeriodicJob } from './jobs.ts';
import type { Sql } from './sql.ts';

export interface DueTable {
  readonly table: string;
  /** Primary key of the table, one column. */
  readonly key: string;
  /** When somebody has to do something for the row; null: nobody has. With an index of the rows that have it. */
  readonly due: string;
  /** Owners take turns: what one of them has due, however much, keeps no other waiting. For example `organization_id`. */
  readonly owner: string;
  /** Columns of which a `Row` is made. */
  readonly columns: string;
  /** Time for which nobody else reaches for a claimed row, milliseconds: a process that dies meanwhile makes it no later. Default 4 s. */
  readonly leaseMs?: number;
}

/** How many rows of an owner are taken at once, at most. */
export interface PlacesOfOwners {
  readonly usual: number;
  /** Of those who have others, by owner. */
  readonly of: ReadonlyMap<string, number>;
}

/**
 * Rows that somebody has to attend to at a time, any replica. A claim only spares others the work: it runs out, so what is
 * done for a row must have the effect of once, however often it is done.
 */
export class DueRows<Row extends object> {
  readonly #sql: Sql;
  readonly #names: DueTable;

  constructor(sql: Sql, names: DueTable) {
    this.#sql = sql;
    this.#names = names;
  }

  /**
   * Takes those that are due, each for one of several replicas: the first of each owner, then the second of each.
   *
   * @param places default: as many of one as there are
   */
  claim(now: number, limit: number, places?: PlacesOfOwners): Promise<Row[]> {
    const { table, key, due, owner, columns, leaseMs = 4_000 } = this.#names;
    const given = [new Date(now), new Date(now + leaseMs), limit];
    const busy = [...(places?.of ?? [])];
    return this.#sql.query<Row>(
      `UPDATE ${table} SET ${due} = $2 WHERE ${key} IN (
         SELECT taken.${key}
           FROM (SELECT ${key}, ${due}, ${owner} AS of_owner, row_number() OVER (PARTITION BY ${owner} ORDER BY ${due}) AS turn
                   FROM ${table} WHERE ${due} <= $1) waiting
           JOIN ${table} taken ON taken.${key} = waiting.${key} AND taken.${due} <= $1${places === undefined ? '' : within}
          ORDER BY waiting.turn, waiting.${due} LIMIT $3 FOR UPDATE OF taken SKIP LOCKED
       ) RETURNING ${columns}`,
      places === undefined ? given : [...given, places.usual, busy.map(([of]) => of), busy.map(([, count]) => count)],
    );
  }
}

/** Condition that an owner has a place left. */
const within = `
          WHERE waiting.turn <= coalesce(
            (SELECT busy.places FROM unnest($5::text[], $6::int[]) AS busy(owner, places) WHERE busy.owner = waiting.of_owner::text), $4::int)`;

export interface Attending<Row> {
  /** For logs and metrics. */
  readonly name: string;
  /** By which rows are due. */
  readonly clock: Clock;
  readonly rows: { claim(now: number, limit: number): Promise<readonly Row[]> };
  /** Does what is to be done for one of them, and says when it is due again. What fails stays claimed, and is taken up after that. */
  readonly attend: (row: Row) => Promise<void>;
  /** At the same time, at most. Default 100. */
  readonly atOnce?: number;
}

/** Looks for due rows every second, and at once when it is woken. */
export interface DueJob extends PeriodicJob {
  /** When this process began to look, milliseconds since 1970; 0 before that. */
  readonly startedAt: number;
  /** As many as may be are attended to, and others may be waiting: whoever takes turns makes them short. */
  readonly isCrowded: boolean;
}

/** A job that attends to due rows: one that takes long, or fails, holds up no other. */
export function attending<Row>({ name, clock, rows, attend, atOnce = 100 }: Attending<Row>): DueJob {
  let startedAt = 0;
  const inHand = new Set<Promise<void>>();
  /** Told when there is room again. */
  let wasCutShort = false;
  let faulty: ReturnType<typeof faultTeller> | undefined;

  const begin = (row: Row, signal: AbortSignal): void => {
    const work = (async () => {
      if (!signal.aborted) await attend(row);
    })()
      .catch((error: unknown) => faulty?.(error))
      .finally(() => {
        inHand.delete(work);
        if (wasCutShort && inHand.size <= atOnce * 0.75) looking.wake();
      });
    inHand.add(work);
  };
  const looking = every('1s', name, async (signal) => {
    const room = atOnce - inHand.size;
    wasCutShort = room === 0;
    if (wasCutShort) return;
    const claimed = await rows.claim(clock.now(), room);
    wasCutShort = claimed.length === room;
    for (const row of claimed) begin(row, signal);
  });
  return {
    name,
    wake: looking.wake,
    get startedAt() {
      return startedAt;
    },
    get isCrowded() {
      return wasCutShort;
    },
    running: (tools: JobTools) => {
      const inner = looking.running(tools);
      return {
        start: async () => {
          faulty = faultTeller(tools, name);
          startedAt = clock.now();
          await inner.start();
        },
        stop: async () => {
          await inner.stop();
          if (!(await settledWithin(10_000, Promise.all(inHand))))
            tools.log.warn('Job not ended in time', { job: name });
        },
      };
    },
  };
}
