import type { JournalPlace } from '@messaging-gateway/event-sourcing';
import type { Pool } from 'pg';

/** How long a relay holds its journal without renewing, milliseconds. */
export const leaseMs = 5_000;

interface Row {
  readonly epoch: string;
  readonly generation: number | null;
  readonly transaction_id: string | null;
  readonly position: string | null;
}

/** A relay's turn: what it writes counts only as long as nobody else has taken over. */
export interface Term {
  readonly epoch: bigint;
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
      `select epoch, generation, transaction_id::text, position::text from "${this.#schema}".relays where name = $1`,
      [this.#name],
    );
    return rows[0] && placeOf(rows[0]);
  }

  /**
   * Takes the journal when nobody holds it. In a journal that was restored since it begins again: what is told may
   * have been ahead of what is restored.
   */
  async take(): Promise<Term | undefined> {
    const table = `"${this.#schema}".relays`;
    await this.#pool.query(`insert into ${table} (name) values ($1) on conflict do nothing`, [this.#name]);
    const kept = (column: string): string =>
      `${column} = case when r.journal_generation = j.generation then r.${column} end`;
    const { rows } = await this.#pool.query<Row>(
      `update ${table} r set epoch = r.epoch + 1, held_until = clock_timestamp() + make_interval(secs => $2),
         journal_generation = j.generation, ${kept('generation')}, ${kept('transaction_id')}, ${kept('position')}
       from "${this.#schema}".journal j
       where r.name = $1 and (r.held_until is null or r.held_until < clock_timestamp())
       returning r.epoch, r.generation, r.transaction_id::text, r.position::text`,
      [this.#name, leaseMs / 1_000],
    );
    return rows[0] && { epoch: BigInt(rows[0].epoch), place: placeOf(rows[0]) };
  }

  /** Writes how far the journal was told, and holds it on. @returns false: another relay has taken over */
  async keep(epoch: bigint, place: JournalPlace | undefined, seconds = leaseMs / 1_000): Promise<boolean> {
    const { rowCount } = await this.#pool.query({
      name: `relay ${this.#schema}`,
      text: `update "${this.#schema}".relays set held_until = clock_timestamp() + make_interval(secs => $3),
          generation = $4, transaction_id = $5::text::xid8, position = $6
        where name = $1 and epoch = $2`,
      values: [
        this.#name,
        String(epoch),
        seconds,
        place?.generation,
        place?.transactionId.toString(),
        place?.position.toString(),
      ],
    });
    return rowCount === 1;
  }

  /** Lets others take over at once. */
  async release(epoch: bigint, place: JournalPlace | undefined): Promise<void> {
    await this.keep(epoch, place, 0);
  }
}

function placeOf({ generation, transaction_id, position }: Row): JournalPlace | undefined {
  if (generation === null || transaction_id === null || position === null) return undefined;
  return { generation, transactionId: BigInt(transaction_id), position: BigInt(position) };
}
