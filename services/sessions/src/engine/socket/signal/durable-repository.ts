import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import {
  DEFAULT_CONNECTION_CONFIG,
  type SignalKeyStoreWithTransaction,
  type SignalRepositoryWithLIDStore,
  type SocketConfig,
} from '@whiskeysockets/baileys';
import type { Change } from '../../../session-data/session-data-store.ts';
import { type Addition, libraryKeys, type SignalState } from './signal-state.ts';

/** A message on its way out: what is written down with its first ratchet step. */
export interface Sending {
  readonly record: readonly Change[];
  /** The record goes with the first of the message's ratchet steps. */
  isHandedIn: boolean;
  /** Set once the record is on the disk: from here on the message may leave. */
  recorded: boolean;
  /** Set when nobody waits any more: nothing may leave unless it is recorded already. */
  cancelled: boolean;
}

/** The message that the running code encrypts; retries have none. */
export const sending = new AsyncLocalStorage<Sending>();

export interface Decrypted {
  readonly ciphertext: Uint8Array;
  readonly plaintext: Uint8Array;
}

export interface RepositoryParts {
  readonly state: SignalState;
  /** Changes that must be on the disk before the message is confirmed to the network; `done` is called once they are. */
  keep(decrypted: Decrypted): Promise<{ changes: Addition; done(): void }>;
  /** The plaintext that a ciphertext was decrypted to before; undefined when it is new. */
  repeated(ciphertext: Uint8Array): Promise<Uint8Array | undefined>;
  /** A ciphertext could not be decrypted; called before the library asks its author for it again. */
  undecryptable(ciphertext: Uint8Array): Promise<void>;
  /** The session data cannot be written: the socket must be closed before anything else happens. */
  failed(error: Error): void;
}

export const hashOf = (ciphertext: Uint8Array): string =>
  createHash('sha256').update(ciphertext).digest('hex').slice(0, 32);

/**
 * The library's own Signal repository, made durable: ratchets are on the disk before a stanza is written, and the
 * plaintext of an inbound message together with its ratchet before the receipt
 * (`docs/decisions/0182-own-transactions-for-signal-state.md`).
 */
export function durableRepository(parts: RepositoryParts): SocketConfig['makeSignalRepository'] {
  const { state } = parts;
  return (auth, logger, pnToLid) => {
    const watched = libraryKeys(state, (error) => parts.failed(error));
    const keys: SignalKeyStoreWithTransaction = {
      get: (type, ids) => watched.get(type, ids),
      set: (values) => watched.set(values),
      isInTransaction: () => true,
      // `exclusively` is the transaction: one operation at a time, written as a whole.
      transaction: (work) => work(),
    };
    const base = DEFAULT_CONNECTION_CONFIG.makeSignalRepository({ creds: auth.creds, keys }, logger, pnToLid);
    const once = <Result>(
      work: () => Promise<Result>,
      and?: (result: Result) => Addition | Promise<Addition>,
    ): Promise<Result> =>
      state.exclusively(work, and).catch((error: unknown) => {
        if (isStorageFault(error)) parts.failed(error);
        throw error;
      });
    return { ...base, ...outgoing(base, once), ...incoming(base, once, parts), ...others(base, once) };
  };
}

type Once = <Result>(
  work: () => Promise<Result>,
  and?: (result: Result) => Addition | Promise<Addition>,
) => Promise<Result>;

function outgoing(
  base: SignalRepositoryWithLIDStore,
  once: Once,
): Pick<SignalRepositoryWithLIDStore, 'encryptMessage' | 'encryptGroupMessage'> {
  const encrypt = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const message = sending.getStore();
    const record = message === undefined || message.isHandedIn ? [] : message.record;
    if (message !== undefined) message.isHandedIn = true;
    const result = await once(work, () => () => record);
    if (message?.cancelled === true) throw new Error('Nobody waits for this message any more.');
    if (message !== undefined) message.recorded = true;
    return result;
  };
  return {
    encryptMessage: (options) => encrypt(() => base.encryptMessage(options)),
    encryptGroupMessage: (options) => encrypt(() => base.encryptGroupMessage(options)),
  };
}

function incoming(
  base: SignalRepositoryWithLIDStore,
  once: Once,
  parts: RepositoryParts,
): Pick<SignalRepositoryWithLIDStore, 'decryptMessage' | 'decryptGroupMessage'> {
  const decrypt = async (ciphertext: Uint8Array, work: () => Promise<Uint8Array>): Promise<Uint8Array> => {
    const before = await parts.repeated(ciphertext);
    if (before !== undefined) return before;
    let done = (): void => undefined;
    const plaintext = await once(work, async (decrypted) => {
      const kept = await parts.keep({ ciphertext, plaintext: decrypted });
      done = kept.done;
      return kept.changes;
    }).catch(async (error: unknown) => {
      if (!isStorageFault(error)) await parts.undecryptable(ciphertext);
      throw error;
    });
    done();
    return plaintext;
  };
  return {
    decryptMessage: (options) => decrypt(options.ciphertext, () => base.decryptMessage(options)),
    decryptGroupMessage: (options) => decrypt(options.msg, () => base.decryptGroupMessage(options)),
  };
}

type Others = Pick<
  SignalRepositoryWithLIDStore,
  | 'processSenderKeyDistributionMessage'
  | 'getSenderKeyDistributionMessage'
  | 'injectE2ESession'
  | 'migrateSession'
  | 'deleteSession'
>;

function others(base: SignalRepositoryWithLIDStore, once: Once): Others {
  return {
    processSenderKeyDistributionMessage: (options) => once(() => base.processSenderKeyDistributionMessage(options)),
    getSenderKeyDistributionMessage: (options) => once(() => base.getSenderKeyDistributionMessage(options)),
    injectE2ESession: (options) => once(() => base.injectE2ESession(options)),
    migrateSession: (from, to) => once(() => base.migrateSession(from, to)),
    deleteSession: (jids) => once(() => base.deleteSession(jids)),
  };
}

const isStorageFault = (error: unknown): error is Error =>
  error instanceof Error && (error.name === 'SessionDataUnavailable' || error.name === 'StaleEpoch');
