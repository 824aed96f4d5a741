import type { JournalPlace } from '@messaging-gateway/event-sourcing';
import type { Logger } from '@messaging-gateway/runtime';
import type { ConsumerHome } from './events.ts';

interface Row {
  /** Of the schema's own journal. */
  present: number;
  generation: number | null;
  transaction_id: string | null;
  position: string | null;
}

/**
 * The places (table `checkpoints` of the journal's migrations) of the consumers of one schema, written in batches: a crash repeats at most the events of one interval,
 * which consumers take as harmless. When the schema goes on in another line, what was handled may be undone with it: places
 * that were loaded before are no longer written.
 */
export class Checkpoints {
  readonly #home: ConsumerHome;
  readonly #log: Logger;
  readonly #table: string;
  readonly #journal: string;
  readonly #changed = new Map<string, JournalPlace>();
  /** Of the schema's journal when places were loaded: those from memory count only in it. */
  #generation: number | undefined;
  #discarded = false;
  readonly #timer: NodeJS.Timeout;
  #writing: Promise<void> = Promise.resolve();

  constructor(home: ConsumerHome, log: Logger, intervalMs = 500) {
    this.#home = home;
    this.#log = log;
    this.#table = `"${home.schema}".checkpoints`;
    this.#journal = `"${home.schema}".journal`;
    this.#timer = setInterval(() => void this.flush(), intervalMs).unref();
  }

  /** undefined: never seen before. */
  async load(name: string): Promise<JournalPlace | undefined> {
    const { rows } = await this.#home.pool.query<Row>(
      `SELECT c.generation, c.transaction_id::text, c.position::text, j.generation AS present
         FROM ${this.#journal} j LEFT JOIN ${this.#table} c ON c.name = $1`,
      [name],
    );
    const row = rows[0];
    this.#generation ??= row?.present;
    if (row === undefined || row.generation === null) return undefined;
    return {
      generation: row.generation,
      transactionId: BigInt(row.transaction_id ?? 0),
      position: BigInt(row.position ?? 0),
    };
  }

  /** Written with the next batch. */
  save(name: string, place: JournalPlace): void {
    this.#changed.set(name, place);
  }

  /** Writes what has changed; what cannot be written now is kept for the next time. */
  flush(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  /** Ends the writing of checkpoints. */
  discard(): void {
    clearInterval(this.#timer);
    this.#discarded = true;
    this.#changed.clear();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }

  async #write(): Promise<void> {
    if (this.#changed.size === 0 || this.#discarded) return;
    const batch = [...this.#changed];
    this.#changed.clear();
    try {
      await this.#home.pool.query({
        name: `checkpoints ${this.#home.schema}`,
        text: `INSERT INTO ${this.#table} (name, generation, transaction_id, position)
          SELECT x.* FROM ${this.#journal} j, unnest($1::text[], $2::int[], $3::xid8[], $4::bigint[]) AS x
           WHERE j.generation = coalesce($5, j.generation)
          ON CONFLICT (name) DO UPDATE SET generation = excluded.generation, transaction_id = excluded.transaction_id,
            position = excluded.position, updated_at = now()`,
        values: [
          batch.map(([name]) => name),
          batch.map(([, place]) => place.generation),
          batch.map(([, place]) => String(place.transactionId)),
          batch.map(([, place]) => String(place.position)),
          this.#generation,
        ],
      });
    } catch (error) {
      for (const [name, place] of batch) if (!this.#changed.has(name)) this.#changed.set(name, place);
      this.#log.warn('Checkpoints not written yet', { schema: this.#home.schema, reason: String(error) });
    }
  }
}
