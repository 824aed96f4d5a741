import type { Pool, PoolClient } from 'pg';

/** Told apart from other advisory locks of the database. */
const lockClass = 726_081;

/**
 * Makes one process the consumer of a queue. The lock belongs to a session, so a killed process lets go at once, and
 * no transaction stays open while commands are carried out: that would hold up the readers of all journals.
 */
export class QueueLock {
  readonly #pool: Pool;
  readonly #held = new Set<string>();
  #session: Promise<PoolClient> | undefined;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Whether this process is the consumer of the queue, or has become it now. */
  async holds(queue: string): Promise<boolean> {
    if (this.#held.has(queue)) return true;
    const session = await this.#connect();
    const { rows } = await session.query<{ got: boolean }>('select pg_try_advisory_lock($1, hashtext($2)) as got', [
      lockClass,
      queue,
    ]);
    if (rows[0]?.got !== true) return false;
    this.#held.add(queue);
    return true;
  }

  async release(queue: string): Promise<void> {
    if (!this.#held.delete(queue)) return;
    const session = await this.#connect();
    await session.query('select pg_advisory_unlock($1, hashtext($2))', [lockClass, queue]).catch(() => undefined);
  }

  async close(): Promise<void> {
    const session = await this.#session?.catch(() => undefined);
    this.#held.clear();
    session?.release(true);
  }

  #connect(): Promise<PoolClient> {
    this.#session ??= this.#open().catch((error: unknown) => {
      this.#session = undefined;
      throw error;
    });
    return this.#session;
  }

  async #open(): Promise<PoolClient> {
    const session = await this.#pool.connect();
    let lost = false;
    // A lost connection can say so more than once.
    session.on('error', () => {
      if (lost) return;
      lost = true;
      this.#held.clear();
      this.#session = undefined;
      session.release(true);
    });
    return session;
  }
}
