import { sweep } from '../delivery/retention.ts';
import type { EngineListener, EngineSession } from '../engine/engine.ts';
import { notConnected } from '../engine/not-connected.ts';
import { openSession, type OpeningParts, type OpenSession } from './open-session.ts';

/** The session data of one profile and what works on it, opened when it is needed. */
export class SessionInHand {
  readonly #parts: OpeningParts;
  readonly #isConnected: () => boolean;
  readonly #listener: (isCurrent: () => boolean) => EngineListener;
  #open: OpenSession | undefined;
  /** A write may still be on its way to the database under the present epoch. */
  #isDoubtful = false;

  /** @param listener hears the engine of a session for as long as that is the current one */
  constructor(parts: OpeningParts, isConnected: () => boolean, listener: (isCurrent: () => boolean) => EngineListener) {
    this.#parts = parts;
    this.#isConnected = isConnected;
    this.#listener = listener;
  }

  /** @throws Refused PROFILE_NOT_CONNECTED when the session data is not open */
  current(): OpenSession {
    if (this.#open === undefined) throw notConnected();
    return this.#open;
  }

  get session(): EngineSession | undefined {
    return this.#open?.session;
  }

  /** @throws StaleEpoch, SessionDataUnavailable */
  async opened(): Promise<OpenSession> {
    if (this.#isDoubtful) await this.#parts.lease.renew();
    this.#isDoubtful = false;
    this.#open ??= await openSession(this.#parts, this.#isConnected, (session) =>
      this.#listener(() => this.#open?.session === session()),
    );
    return this.#open;
  }

  /** Resolves when what was handed in is on the disk, or has failed. */
  async close(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    await open?.attached.stop();
    await open?.recorder.stop();
    await open?.data.settled();
  }

  /** A write has failed: what it left in memory is not trusted, and neither is that it will never be carried out. */
  async closeInDoubt(): Promise<void> {
    await this.close();
    this.#isDoubtful = true;
  }

  /** The link is gone: what belongs to it is erased. What came in before goes on into the journal. */
  async unlinked(): Promise<void> {
    const { lease, sessions } = this.#parts;
    await this.close();
    await sessions.erase(lease.profileId, { only: ['signal', 'content', 'taken'], epoch: lease.epoch });
    await this.opened();
  }

  /** Everything. */
  async erase(): Promise<void> {
    await this.close();
    await this.#parts.sessions.erase(this.#parts.lease.profileId, this.#parts.lease);
  }

  /** Forgets what is older than 72 hours. */
  async sweep(now: number): Promise<void> {
    if (this.#open !== undefined) await sweep(this.#open.data, now);
  }
}
