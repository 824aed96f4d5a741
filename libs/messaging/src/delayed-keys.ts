import type { EventEnvelope } from '@messaging-gateway/contracts';
import type { ConsumerHome } from './events.ts';
import { frozen } from './json.ts';

/** A kind and a key of it. */
export interface KeyOfKind {
  readonly kind: string;
  readonly key: string;
}

/** Taken by one replica, a key is left alone by the others for so long, seconds; each event that is handled begins it anew. */
const claimSeconds = 60;
/** From the moment in which a key is set aside to its next try, seconds. */
const firstWaitSeconds = 1;
/** Between two tries of a key, at most, seconds. */
const longestWaitSeconds = 30;

/**
 * Keys whose events do not get through while those of others do. Their events are kept in the consumer's schema, in their
 * order, and tried from there, so that neither memory nor a place in a journal waits for them.
 *
 * Which keys these are is known in memory, and each event of one is appended only while the table still has the key, whose
 * row is locked meanwhile: what is put behind the last one is seen by whoever lets the key go, or else handled at once.
 */
export class DelayedKeys {
  readonly #home: ConsumerHome;
  readonly #group: string;
  readonly #known = new Set<string>();
  #loaded: Promise<void> | undefined;

  constructor(home: ConsumerHome, group: string) {
    this.#home = home;
    this.#group = group;
  }

  /** Looks, at the first call, which keys there are. @throws what the database does */
  async ready(): Promise<void> {
    this.#loaded ??= this.look();
    try {
      await this.#loaded;
    } catch (error) {
      this.#loaded = undefined;
      throw error;
    }
  }

  /** Learns of the keys that other replicas have set aside. */
  async look(): Promise<void> {
    const { rows } = await this.#home.pool.query<KeyOfKind>({
      name: `delayed keys ${this.#home.schema}`,
      text: `SELECT name AS kind, key FROM ${this.#keys} WHERE consumer = $1`,
      values: [this.#group],
    });
    for (const one of rows) this.#known.add(nameOf(one));
  }

  has(kind: string, key: string): boolean {
    return this.#known.has(nameOf({ kind, key }));
  }

  /** Sets a key aside, beginning with an event that does not get through. */
  async setAside(event: EventEnvelope, reason: string): Promise<void> {
    await this.#home.pool.query(
      `WITH put AS (INSERT INTO ${this.#events} (consumer, name, key, sequence, id, organization_id, envelope)
         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING)
       INSERT INTO ${this.#keys} (consumer, name, key, reason, due_at)
       VALUES ($1, $2, $3, $8, now() + make_interval(secs => ${firstWaitSeconds}))
       ON CONFLICT (consumer, name, key) DO UPDATE SET reason = excluded.reason`,
      [...this.#valuesOf(event), reason],
    );
    this.#known.add(nameOf({ kind: event.type, key: event.key }));
  }

  /** Puts an event behind those of its key. @returns false: the key is not delayed any more, and the event is not kept */
  async append(event: EventEnvelope): Promise<boolean> {
    const { rows } = await this.#home.pool.query<{ kept: boolean }>({
      name: `delay ${this.#home.schema}`,
      text: `WITH held AS (
           SELECT FROM ${this.#keys} WHERE consumer = $1 AND name = $2 AND key = $3 FOR UPDATE
         ), put AS (
           INSERT INTO ${this.#events} (consumer, name, key, sequence, id, organization_id, envelope)
           SELECT $1, $2, $3, $4, $5, $6, $7::json FROM held ON CONFLICT DO NOTHING
         )
         SELECT EXISTS (SELECT FROM held) AS kept`,
      values: this.#valuesOf(event),
    });
    const kept = rows[0]?.kept === true;
    if (!kept) this.#known.delete(nameOf({ kind: event.type, key: event.key }));
    return kept;
  }

  /** Takes keys that are due for this replica alone. */
  async claim(kinds: readonly string[], limit: number): Promise<readonly KeyOfKind[]> {
    const { rows } = await this.#home.pool.query<KeyOfKind>({
      name: `claim delayed ${this.#home.schema}`,
      text: `UPDATE ${this.#keys} SET due_at = clock_timestamp() + make_interval(secs => ${claimSeconds})
        WHERE (consumer, name, key) IN (SELECT consumer, name, key FROM ${this.#keys}
          WHERE consumer = $1 AND name = ANY($2) AND due_at <= now() ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED)
        RETURNING name AS kind, key`,
      values: [this.#group, kinds, limit],
    });
    return rows;
  }

  /** The oldest events of a key. */
  async oldest({ kind, key }: KeyOfKind, limit: number): Promise<readonly EventEnvelope[]> {
    const { rows } = await this.#home.pool.query<{ envelope: EventEnvelope }>({
      name: `oldest delayed ${this.#home.schema}`,
      text: `SELECT envelope FROM ${this.#events} WHERE consumer = $1 AND name = $2 AND key = $3 ORDER BY sequence, id LIMIT $4`,
      values: [this.#group, kind, key, limit],
    });
    return rows.map(({ envelope }) => frozen(envelope));
  }

  /** An event is dealt with. */
  async done({ type, key, sequence, id }: EventEnvelope): Promise<void> {
    await this.#home.pool.query({
      name: `delayed done ${this.#home.schema}`,
      text: `WITH gone AS (
           DELETE FROM ${this.#events} WHERE consumer = $1 AND name = $2 AND key = $3 AND sequence = $4 AND id = $5
         )
         UPDATE ${this.#keys} SET tries = 0, failures = 0, due_at = clock_timestamp() + make_interval(secs => ${claimSeconds})
          WHERE consumer = $1 AND name = $2 AND key = $3`,
      values: [this.#group, type, key, sequence, id],
    });
  }

  /** Lets a key go of which nothing waits any more, unless somebody has. @returns false: something has come meanwhile */
  async release({ kind, key }: KeyOfKind): Promise<boolean> {
    const which = [this.#group, kind, key];
    const condition = 'consumer = $1 and name = $2 and key = $3';
    const client = await this.#home.pool.connect();
    let isDone = false;
    try {
      await client.query('begin');
      const held = await client.query(`SELECT FROM ${this.#keys} WHERE ${condition} FOR UPDATE`, which);
      // A statement of its own: it sees what was appended before the row was locked.
      const { rowCount } = await client.query(
        `DELETE FROM ${this.#keys} WHERE ${condition} AND NOT EXISTS (SELECT FROM ${this.#events} WHERE ${condition})`,
        which,
      );
      await client.query('commit');
      isDone = true;
      return rowCount === 1 || held.rowCount === 0;
    } finally {
      client.release(!isDone);
    }
  }

  /**
   * The oldest event of a key did not get through: the key is tried again after a while, each time a longer one.
   *
   * @param isFailure it was no absent part @returns how often that has been so in a row
   */
  async putOff({ kind, key }: KeyOfKind, reason: string, isFailure: boolean): Promise<number> {
    const { rows } = await this.#home.pool.query<{ failures: number }>(
      `UPDATE ${this.#keys} SET tries = tries + 1, failures = failures + $4, reason = $5,
              due_at = clock_timestamp() + make_interval(secs => least(power(2, least(tries, 10)), ${longestWaitSeconds}))
        WHERE consumer = $1 AND name = $2 AND key = $3 RETURNING failures`,
      [this.#group, kind, key, isFailure ? 1 : 0, reason],
    );
    return rows[0]?.failures ?? 0;
  }

  get #keys(): string {
    return `"${this.#home.schema}".delayed_keys`;
  }

  get #events(): string {
    return `"${this.#home.schema}".delayed_events`;
  }

  #valuesOf(event: EventEnvelope): unknown[] {
    const { id, type, key, sequence, organizationId } = event;
    return [this.#group, type, key, sequence, id, organizationId, JSON.stringify(event)];
  }
}

const nameOf = ({ kind, key }: KeyOfKind): string => `${kind} ${key}`;

/** Deletes the delayed events of an organization that is erased, or from before a time. @returns how many */
export async function forgetDelayed(
  { pool, schema }: ConsumerHome,
  which: { readonly before: Date } | { readonly organizationId: string },
): Promise<number> {
  const [condition, value] =
    'before' in which ? ['delayed_at < $1', which.before] : ['organization_id = $1', which.organizationId];
  const { rowCount } = await pool.query(`DELETE FROM "${schema}".delayed_events WHERE ${condition}`, [value]);
  return rowCount ?? 0;
}
