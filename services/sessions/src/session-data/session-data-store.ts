/**
 * Tables that a profile's session consists of:
 * `signal` keys, ratchets and credentials; `sent` and `content` what was handed to the network and with which outcome;
 * `inbox` facts that the journal has not taken yet, by rising id; `taken` ciphertexts that have been decrypted;
 * `lane` the newest epoch of the lane that sends through it; `poll` what votes are read with; `media` facts whose media
 * are still to be fetched, by rising id; `people` those of whom the network has told; `due` by hour what is to be removed then;
 * `secret` by day the secrets of messages, which later changes are encrypted with; `missing` messages that arrived without
 * readable content. The order counts: stores number the tables.
 */
export const tables = [
  'signal',
  'sent',
  'content',
  'inbox',
  'taken',
  'lane',
  'poll',
  'media',
  'people',
  'due',
  'secret',
  'missing',
] as const;
export type Table = (typeof tables)[number];

/** Outcomes and hours by network id: nothing personal, nothing secret, and written for each message. */
export const plainTables: ReadonlySet<Table> = new Set<Table>(['sent', 'due']);

/** Sets a value, or removes it when there is none. */
export interface Change {
  readonly table: Table;
  readonly id: string;
  readonly value: Uint8Array | undefined;
}

/** A stored value with its id. */
export interface Stored {
  readonly id: string;
  readonly value: Buffer;
}

/** The data of one profile, as long as the holder's epoch is the newest. Values are encrypted at rest, but for those of `plainTables`. */
export interface SessionData {
  readonly profileId: string;
  readonly epoch: number;
  /** A commit is a write to the disk of this machine, and no request to a server. */
  readonly isLocal: boolean;
  /** Values in the order of the ids. Sees what `commit` was given, also while it is being written. */
  read(table: Table, ids: readonly string[]): Promise<(Buffer | undefined)[]>;
  /** Entries of a table by rising id, after a given one. Not for `signal`, whose ids are not kept readable. */
  scan(table: Exclude<Table, 'signal'>, after: string, limit: number): Promise<Stored[]>;
  /** The greatest id of a table; undefined when it is empty. */
  last(table: Exclude<Table, 'signal'>): Promise<string | undefined>;
  /**
   * Writes all or nothing; on the disk when it resolves. Calls are written in their order; those that wait are
   * written together. After the first failure every further call fails, until the data is opened again.
   *
   * @param patienceMs how long it may wait for other calls to be written together with, milliseconds; default 0
   * @throws StaleEpoch when somebody else has opened the profile with a newer epoch
   * @throws SessionDataUnavailable when it cannot be written, for example because the disk is full
   */
  commit(changes: readonly Change[], patienceMs?: number): Promise<void>;
  /** Resolves when everything that was handed in is written or has failed. */
  settled(): Promise<void>;
}

export interface Erasing {
  /** Default: all tables. */
  readonly only?: readonly Table[];
  /** Refused with `StaleEpoch` when somebody else has the profile. Absent: nobody holds it any more. */
  readonly epoch?: number;
}

/**
 * The port for session data. It must never be behind what the network has seen, never be torn by a crash, and have one
 * writer per profile. Adapters: LMDB in `SESSIONS_DIR` (one process), PostgreSQL (many); all pass `session-data.suite.ts`.
 */
export interface SessionDataStore {
  /**
   * Opens a profile for the holder of an epoch. Whoever opened it with an older one can write no more.
   *
   * @throws StaleEpoch when a newer epoch was used before
   */
  open(profileId: string, epoch: number): Promise<SessionData>;
  /** Finds which of these profiles have anything in a table. */
  holding(profileIds: readonly string[], table: Table): Promise<string[]>;
  /** All profiles that have any session data, also those that are there no more. */
  profiles(): Promise<string[]>;
  /** Removes tables of a profile. @throws StaleEpoch */
  erase(profileId: string, erasing?: Erasing): Promise<void>;
  close(): Promise<void>;
}

/** Another holder has taken the profile over. */
export class StaleEpoch extends Error {
  constructor(profileId: string) {
    super(`The session data of profile ${profileId} belongs to a newer holder.`);
    this.name = 'StaleEpoch';
  }
}

/** The session data cannot be read or written now. */
export class SessionDataUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SessionDataUnavailable';
  }
}
