import {
  SessionDataUnavailable,
  type Erasing,
  type Table,
  type SessionData,
  type SessionDataStore,
} from './session-data-store.ts';

/** A store that is opened when the service starts and closed when it stops. */
export class LateStore implements SessionDataStore {
  readonly #openStore: () => Promise<SessionDataStore>;
  #store: SessionDataStore | undefined;

  constructor(openStore: () => Promise<SessionDataStore>) {
    this.#openStore = openStore;
  }

  async start(): Promise<void> {
    this.#store = await this.#openStore();
  }

  async stop(): Promise<void> {
    await this.close();
  }

  open(profileId: string, epoch: number): Promise<SessionData> {
    return this.#opened().open(profileId, epoch);
  }

  holding(profileIds: readonly string[], table: Table): Promise<string[]> {
    return this.#opened().holding(profileIds, table);
  }

  profiles(): Promise<string[]> {
    return this.#opened().profiles();
  }

  erase(profileId: string, erasing?: Erasing): Promise<void> {
    return this.#opened().erase(profileId, erasing);
  }

  async close(): Promise<void> {
    const store = this.#store;
    this.#store = undefined;
    await store?.close();
  }

  #opened(): SessionDataStore {
    if (this.#store === undefined) throw new SessionDataUnavailable('The session data is not open.');
    return this.#store;
  }
}
