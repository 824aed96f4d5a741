import { Unavailable } from '@messaging-gateway/runtime';
import type { ClientBase, Pool, PoolClient } from 'pg';
import { OtherCluster } from './cluster.ts';
import { inSchema } from './journal-migration.ts';

/** A journal goes on in another generation than this process knew. */
export interface NewLine {
  readonly schema: string;
  readonly generation: number;
  /** Of the server now; undefined where it tells none. */
  readonly timeline: number | undefined;
  /** This process has adopted it; the others take note. */
  readonly adopted: boolean;
  /** The last commit that is kept: later ones may be lost; undefined where the server does not know. */
  readonly lastCommit: Date | undefined;
}

interface ServerState {
  readonly generation: number;
  readonly same: boolean;
  readonly kept: number | null;
  readonly standby: boolean;
  readonly timeline: number | null;
  readonly next: string;
  readonly last_commit: Date | null;
}

/**
 * The timeline that is written now: `pg_control_checkpoint()` still tells the former one until the first checkpoint after a
 * promotion has ended, which takes minutes.
 */
const timelineText = `('x' || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8))::bit(32)::int`;
const stateText = (timeline: string): string => `
  SELECT j.generation, j.system_identifier = c.system_identifier::text AS same, j.timeline AS kept,
         pg_is_in_recovery() AS standby, CASE WHEN NOT pg_is_in_recovery() THEN ${timeline} END AS timeline,
         pg_snapshot_xmax(pg_current_snapshot())::text AS next, pg_last_xact_replay_timestamp() AS last_commit
    FROM {schema}.journal j, pg_control_system() c`;

/** How long an adoption waits for appends that are under way, milliseconds. */
const lockMs = 5_000;

/**
 * The line of transactions that a journal is written in. A promoted standby, or files that were put back, may lack the last
 * transactions: their ids are given out again, so places behind them, and all that was made of them in memory, say nothing
 * any more. Every new connection is looked at before its first statement; the first to meet another line adopts the
 * journal, once among all replicas: its next generation stands behind whatever any reader has seen.
 *
 * @see docs/decisions/0501-failover-of-the-database.md
 */
export class JournalLine {
  readonly #pool: Pool;
  readonly #schema: string;
  readonly #listeners = new Set<(line: NewLine) => void>();
  #generation: number | undefined;
  /** Highest transaction id that was seen in the journal. */
  #furthest = 0n;
  #tellsTimeline = true;

  constructor(pool: Pool, schema: string) {
    this.#pool = pool;
    this.#schema = schema;
  }

  /** The generation that this process takes the journal to be in; 0: not known yet, and nothing was read. */
  get generation(): number {
    return this.#generation ?? 0;
  }

  /** Called, before anything is read or written there, when the journal goes on in another generation. @returns stops it */
  onChange(listener: (line: NewLine) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** A committed entry of this transaction was seen. */
  seen(transactionId: bigint): void {
    if (transactionId > this.#furthest) this.#furthest = transactionId;
  }

  /** The generation of the journal was read. */
  note(generation: number): void {
    if (this.#generation === undefined || generation > this.#generation) this.#goOnIn(generation, {});
  }

  /** Asks for the generation. @throws what the database throws */
  async look(): Promise<void> {
    const { rows } = await this.#pool.query<{ generation: number }>(
      inSchema('SELECT generation FROM {schema}.journal', this.#schema),
    );
    if (rows[0] !== undefined) this.note(rows[0].generation);
  }

  /**
   * Looks at a connection before it is used.
   *
   * @throws OtherCluster when it leads to another cluster; Unavailable when it leads to a standby
   */
  async verify(client: ClientBase): Promise<void> {
    const [known, furthest] = [this.#generation, this.#furthest];
    const state = await this.#stateOf(client);
    if (state === undefined) return;
    if (!state.same) throw new OtherCluster([this.#schema]);
    if (state.standby) throw new Unavailable('The database is a standby, which takes no writes.');
    const timeline = state.timeline ?? undefined;
    const about = { timeline, lastCommit: state.last_commit ?? undefined };
    const isOther = timeline !== undefined && state.kept !== null && state.kept !== timeline;
    const wentBack = state.generation < (known ?? 0) || (state.generation === known && furthest >= BigInt(state.next));
    if (isOther || wentBack) {
      const adopted = await adopt(client, this.#schema, { observed: state.generation, known: known ?? 0, timeline });
      return this.#goOnIn(adopted.generation, { ...about, adopted: adopted.isMine });
    }
    if (state.kept === null && timeline !== undefined) await keepTimeline(client, this.#schema, timeline);
    if (state.generation !== this.#generation) this.#goOnIn(state.generation, about);
  }

  /**
   * A place was met that no honest line has: goes on in another generation.
   *
   * @param observed of the journal when it was met; @param known that of the place
   * @throws what the database throws
   */
  async wentBack(observed: number, known: number): Promise<void> {
    const client = await this.#pool.connect();
    let broken = true;
    try {
      const { generation, isMine } = await adopt(client, this.#schema, { observed, known, timeline: undefined });
      broken = false;
      this.#goOnIn(generation, { adopted: isMine });
    } finally {
      client.release(broken);
    }
  }

  #goOnIn(generation: number, about: Partial<NewLine>): void {
    const { adopted = false } = about;
    const isFirst = this.#generation === undefined;
    if (this.#generation === generation && !adopted) return;
    this.#generation = generation;
    this.#furthest = 0n;
    if (isFirst && !adopted) return;
    const line = { timeline: undefined, lastCommit: undefined, ...about, adopted, generation, schema: this.#schema };
    for (const listener of this.#listeners) listener(line);
  }

  /** undefined: there is no journal yet. */
  async #stateOf(client: ClientBase): Promise<ServerState | undefined> {
    const ask = async (timeline: string): Promise<ServerState> => {
      const { rows } = await client.query<ServerState>(inSchema(stateText(timeline), this.#schema));
      if (rows[0] === undefined) throw new Error(`The journal of ${this.#schema} has lost its row.`);
      return rows[0];
    };
    try {
      return await ask(this.#tellsTimeline ? timelineText : 'NULL::int');
    } catch (error) {
      const { code } = error as { code?: unknown };
      if (code === '42P01') return undefined;
      // Shared storage without a log of its own kind has one line only, and nothing to ask.
      if (code !== '0A000' || !this.#tellsTimeline) throw error;
      this.#tellsTimeline = false;
      return ask('NULL::int');
    }
  }
}

/** Keeps the timeline of a journal that has none noted: it was written in that from the start. */
async function keepTimeline(client: ClientBase, schema: string, timeline: number): Promise<void> {
  await client.query(inSchema('UPDATE {schema}.journal SET timeline = $1 WHERE timeline IS NULL', schema), [timeline]);
}

interface Adoption {
  /** The generation that was met: whoever is second finds another one. */
  readonly observed: number;
  /** The next one stands behind this one too. */
  readonly known: number;
  readonly timeline: number | undefined;
}

/**
 * Begins the next generation, unless another replica did: all that is there now comes before whatever is written from now
 * on, and can be read.
 */
async function adopt(
  client: ClientBase,
  schema: string,
  { observed, known, timeline }: Adoption,
): Promise<{ generation: number; isMine: boolean }> {
  const run = <Row extends object>(text: string, values?: unknown[]) =>
    client.query<Row>(inSchema(text, schema), values);
  await run('BEGIN');
  try {
    // Appends that are under way belong to the generation before; one that waits for long holds up nobody.
    await run(`SET LOCAL lock_timeout = ${lockMs}`);
    await run('SAVEPOINT locking');
    await run('LOCK TABLE {schema}.events IN SHARE ROW EXCLUSIVE MODE').catch(async (error: unknown) => {
      if ((error as { code?: unknown }).code !== '55P03') throw error;
      await run('ROLLBACK TO SAVEPOINT locking');
    });
    const { rowCount } = await run(
      `UPDATE {schema}.journal SET generation = greatest(generation, $2::int) + 1, timeline = coalesce($3::int, timeline)
        WHERE generation = $1`,
      [observed, known, timeline],
    );
    const { rows } = await run<{ generation: number }>('SELECT generation FROM {schema}.journal');
    await run('COMMIT');
    return { generation: rows[0]?.generation ?? 1, isMine: rowCount === 1 };
  } catch (error) {
    await run('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

const lines = new WeakMap<Pool, Map<string, JournalLine>>();

/** The line of a journal as this pool meets it. New connections of the pool, and of those made from its options, are looked at. */
export function journalLine(pool: Pool, schema: string): JournalLine {
  const bySchema = lines.get(pool) ?? new Map<string, JournalLine>();
  lines.set(pool, bySchema);
  const known = bySchema.get(schema);
  if (known !== undefined) return known;
  const line = new JournalLine(pool, schema);
  bySchema.set(schema, line);
  const { onConnect } = pool.options as ConnectHook;
  const hook: ConnectHook = {
    onConnect: async (client) => {
      await onConnect?.(client);
      await line.verify(client);
    },
  };
  Object.assign(pool.options, hook);
  return line;
}

/** Awaited by the pool before a new connection is given out. */
interface ConnectHook {
  readonly onConnect?: (client: PoolClient) => Promise<void>;
}
