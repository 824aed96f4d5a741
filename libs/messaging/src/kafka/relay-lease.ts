import type { JournalPlace } from '@messaging-gateway/event-sourcing';
import type { Pool } from 'pg';

/** How long a relay holds its journal without renewing, milliseconds. */
export const leaseMs = 5_000;

interface Row {
  readonly epoch: string;
  /** Of the journal, when it is taken. */
  readonly present?: number;
  readonly generation: number | null;
  readonly transaction_id: string | null;
  readonly position: string | null;
}

/** A relay's turn: what it writes counts only as long as nobody else has taken over. */
export interface Term {
  readonly epoch: bigint;
  /** Generation of the journal. */
  readonly generation: number;
  /** Everything up to here was told; undefined: from the beginning. */
  readonly place: JournalPlace | undefined;
}

/**
 * One row per journal and relay (table `relays`): who may tell the journal, and how far it was told. Both lie in one row,
 * so that a write of the place and a takeover exclude each other.
 */
export class RelayLease {
  readonly #pool: Pool;
  readonly #schema: string;
  readonly #name: string;

  constructor(pool: Pool, schema: string, name: string) {
    this.#pool = pool;
    this.#schema = schema;
    this.#name = name;
  }

  /** Where the journal was told up to, by whomever. */
  async place(): Promise<JournalPlace | undefined> {
    const { rows } = await this.#pool.query<Row>(
      `SELECT epoch, generation, transaction_id::text, position::text FROM "${this.#schema}".relays WHERE name = $1`,
      [this.#name],
    );
    return rows[0] && placeOf(rows[0]);
  }

  /**
   * Takes the journal when nobody holds it, or when it goes on in another line than it was taken in. In a journal that was restored since it begins again: what is told may
   * have been ahead of what is restored. In one that goes on in another line it goes on from the place that is kept there.
   */
  async take(): Promise<Term | undefined> {
    const table = `"${this.#schema}".relays`;
    await this.#pool.query(`INSERT INTO ${table} (name) VALUES ($1) ON CONFLICT DO NOTHING`, [this.#name]);
    const kept = (column: string): string =>
      `${column} = case when r.journal_generation >= j.begun then r.${column} end`;
    const { rows } = await this.#pool.query<Row>(
      `UPDATE ${table} r SET epoch = r.epoch + 1, held_until = clock_timestamp() + make_interval(secs => $2),
         journal_generation = j.generation, ${kept('generation')}, ${kept('transaction_id')}, ${kept('position')}
       FROM "${this.#schema}".journal j
       WHERE r.name = $1
         AND (r.held_until IS NULL OR r.held_until < clock_timestamp() OR r.journal_generation < j.generation)
       RETURNING r.epoch, j.generation AS present, r.generation, r.transaction_id::text, r.position::text`,
      [this.#name, leaseMs / 1_000],
    );
    return rows[0] && { epoch: BigInt(rows[0].epoch), generation: rows[0].present ?? 0, place: placeOf(rows[0]) };
  }

  /**
   * Writes how far the journal was told, and holds it on.
   *
   * @returns false: another relay has taken over, or the journal goes on in another line and is to be taken anew
   */
  async keep(
    { epoch, generation }: Turn,
    place: JournalPlace | undefined,
    seconds = leaseMs / 1_000,
  ): Promise<boolean> {
    const { rowCount } = await this.#pool.query({
      name: `relay ${this.#schema}`,
      text: `UPDATE "${this.#schema}".relays r SET held_until = clock_timestamp() + make_interval(secs => $4),
          generation = $5, transaction_id = $6::text::xid8, position = $7
        FROM "${this.#schema}".journal j
        WHERE r.name = $1 AND r.epoch = $2 AND r.journal_generation = $3 AND j.generation = $3`,
      values: [
        this.#name,
        String(epoch),
        generation,
        seconds,
        place?.generation,
        place?.transactionId.toString(),
        place?.position.toString(),
      ],
    });
    return rowCount === 1;
  }

  /** Lets others take over at once. */
  async release(turn: Turn, place: JournalPlace | undefined): Promise<void> {
    await this.keep(turn, place, 0);
  }
}

/** Names a turn: after a failover the epoch of one that was lost may be given out again. */
type Turn = Pick<Term, 'epoch' | 'generation'>;

function placeOf({ generation, transaction_id, position }: Row): JournalPlace | undefined {
  if (generation === null || transaction_id === null || position === null) return undefined;
  return { generation, transactionId: BigInt(transaction_id), position: BigInt(position) };
}
