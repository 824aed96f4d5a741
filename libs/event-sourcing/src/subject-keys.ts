import { createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import { databaseError, type EncryptionKeys } from '@messaging-gateway/runtime';
import type { Pool } from 'pg';
import { inSchema } from './journal-migration.ts';

/** Keys kept in memory, at most. */
const capacity = 20_000;
/** How soon an erasure by another replica is noticed, milliseconds. */
const noticeMs = 1000;
/** Erasures are numbered before they are committed: so many are looked at again. */
const overlap = 100;

interface KeyRow {
  readonly subject: string;
  readonly sealed: Buffer | null;
}

/** The keys of the subjects of one journal. `KeyObject`s are at hand only after `ensure`. */
export class SubjectKeys {
  readonly #pool: Pool;
  readonly #schema: string;
  readonly #encryption: EncryptionKeys;
  readonly #known = new Map<string, KeyObject | 'erased'>();
  /** Why keys that are stored could not be opened. */
  readonly #shut = new Map<string, unknown>();
  readonly #listeners = new Set<(subject: string) => void>();
  #erasure = 0;
  /** Counts `clear`: what was asked before it says nothing. */
  #era = 0;
  #checkedAt = -Infinity;

  constructor(pool: Pool, schema: string, encryption: EncryptionKeys) {
    this.#pool = pool;
    this.#schema = schema;
    this.#encryption = encryption;
  }

  /** The key to write with. @throws Error when `ensure` was not called for it */
  present(subject: string): KeyObject | 'erased' {
    const key = this.#known.get(subject);
    if (key === undefined) throw new Error(`The key of ${subject} is not at hand.`);
    return key;
  }

  /** The key to read with: a subject without any reads as erased. @throws why it could not be opened */
  readable(subject: string): KeyObject | 'erased' {
    const known = this.#known.get(subject);
    if (known === undefined && this.#shut.has(subject)) throw this.#shut.get(subject);
    return known ?? 'erased';
  }

  has(subject: string): boolean {
    return this.#known.has(subject);
  }

  /** Called with each subject that was erased, by this process or another one. */
  onErased(listener: (subject: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Has the keys of these subjects at hand. A subject without a key gets one when `create` says so.
   *
   * @throws why a key cannot be opened, when `create` says that something is to be written with it
   */
  async ensure(subjects: Iterable<string>, create: boolean): Promise<void> {
    const missing = [...new Set(subjects)].filter((subject) => !this.#touch(subject));
    if (missing.length === 0) return;
    const era = this.#era;
    if (create) await this.#create(missing);
    const rows = await this.#query<KeyRow>(
      'SELECT subject, sealed FROM {schema}.subject_keys WHERE subject = ANY($1)',
      [missing],
    );
    if (era !== this.#era) return this.ensure(missing, create);
    for (const row of rows) {
      const fault = this.#take(row);
      if (create && fault !== undefined) throw fault;
    }
  }

  /** @returns why the key cannot be opened */
  #take({ subject, sealed }: KeyRow): unknown {
    try {
      this.#remember(subject, sealed === null ? 'erased' : this.#open(subject, sealed));
      this.#shut.delete(subject);
      return undefined;
    } catch (fault) {
      if (this.#shut.size >= capacity) this.#shut.clear();
      this.#shut.set(subject, fault);
      return fault;
    }
  }

  /** Forgets the keys of subjects that other replicas erased. Asks the database once a second at most. */
  async notice(): Promise<void> {
    const now = performance.now();
    if (now - this.#checkedAt < noticeMs) return;
    this.#checkedAt = now;
    const rows = await this.#query<{ subject: string; erasure: string }>(
      'SELECT subject, erasure FROM {schema}.subject_keys WHERE erasure > $1 ORDER BY erasure',
      [this.#erasure - overlap],
    );
    for (const { subject, erasure } of rows) {
      this.#erasure = Math.max(this.#erasure, Number(erasure));
      this.forget(subject);
    }
  }

  /** Drops all keys: some may be gone in the database. */
  clear(): void {
    this.#era += 1;
    this.#known.clear();
    this.#shut.clear();
    this.#erasure = 0;
    this.#checkedAt = -Infinity;
  }

  /** Drops the key from memory and tells the listeners. */
  forget(subject: string): void {
    if (this.#known.has(subject)) this.#known.set(subject, 'erased');
    for (const listener of this.#listeners) listener(subject);
  }

  /** Makes it the last one to leave. @returns whether it is there */
  #touch(subject: string): boolean {
    const key = this.#known.get(subject);
    if (key === undefined) return false;
    this.#known.delete(subject);
    this.#known.set(subject, key);
    return true;
  }

  async #create(subjects: readonly string[]): Promise<void> {
    const sealed = subjects.map((subject) => this.#encryption.seal(randomBytes(32), subject));
    await this.#query(
      `INSERT INTO {schema}.subject_keys (subject, sealed) SELECT * FROM unnest($1::text[], $2::bytea[])
       ORDER BY 1 ON CONFLICT (subject) DO NOTHING`,
      [subjects, sealed],
    );
  }

  #open(subject: string, sealed: Buffer): KeyObject {
    return createSecretKey(this.#encryption.open(sealed, subject));
  }

  #remember(subject: string, key: KeyObject | 'erased'): void {
    if (this.#known.size >= capacity) this.#known.delete(this.#known.keys().next().value as string);
    this.#known.set(subject, key);
  }

  async #query<Row extends object>(text: string, values: unknown[]): Promise<Row[]> {
    try {
      const { rows } = await this.#pool.query<Row>(inSchema(text, this.#schema), values);
      return rows;
    } catch (error) {
      throw databaseError(error);
    }
  }
}

const shared = new WeakMap<Pool, Map<string, SubjectKeys>>();

/** The keys of a journal: store and readers of one pool share what is in memory. */
export function subjectKeys(pool: Pool, schema: string, encryption: EncryptionKeys): SubjectKeys {
  const bySchema = shared.get(pool) ?? new Map<string, SubjectKeys>();
  shared.set(pool, bySchema);
  const keys = bySchema.get(schema) ?? new SubjectKeys(pool, schema, encryption);
  bySchema.set(schema, keys);
  return keys;
}
