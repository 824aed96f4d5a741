import type { Running, ServiceTools } from '@messaging-gateway/service';
import type { ProfilesHeld } from './profiles-held.ts';
import type { SessionDataStore } from '../session-data/session-data-store.ts';
import { profileStream } from '../profiles/profile.ts';

export interface DeletedProfilesParts {
  readonly tools: Pick<ServiceTools<unknown>, 'sql' | 'store' | 'clock' | 'log'>;
  readonly held: Pick<ProfilesHeld, 'forget'>;
  readonly sessions: SessionDataStore;
}

const sweepMs = 600_000;

/**
 * Removes what deleted profiles leave behind: right after they were deleted, and at start and every ten minutes what
 * could not be removed then. Several replicas may do it at the same time.
 *
 * @see docs/decisions/0488-session-data-of-deleted-profiles.md
 */
export class DeletedProfiles implements Running {
  readonly #parts: DeletedProfilesParts;
  #sweeping: Promise<void> = Promise.resolve();
  #cancel = (): void => undefined;
  #isStopped = false;

  constructor(parts: DeletedProfilesParts) {
    this.#parts = parts;
  }

  async start(): Promise<void> {
    this.#isStopped = false;
    this.#sweep();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancel();
    await this.#sweeping;
  }

  /** Lets go of a profile that was deleted, and deletes its session data. */
  async clear(profileId: string): Promise<void> {
    const { held, sessions, tools } = this.#parts;
    try {
      // First: whoever holds it may still write.
      await held.forget(profileId);
      await sessions.erase(profileId);
    } catch (error) {
      const { message: reason } = error as Error;
      tools.log.warn('Session data of a deleted profile could not be deleted yet', { profileId, reason });
    }
  }

  #sweep(): void {
    const { clock, log } = this.#parts.tools;
    this.#sweeping = this.#clearAll()
      .catch(({ message: reason }: Error) =>
        log.warn('Session data of deleted profiles could not be sought', { reason }),
      )
      .finally(() => {
        if (!this.#isStopped) this.#cancel = clock.at(clock.now() + sweepMs, () => this.#sweep());
      });
  }

  async #clearAll(): Promise<void> {
    for (const profileId of await this.#withoutRow()) {
      if (await this.#isDeleted(profileId)) await this.clear(profileId);
      if (this.#isStopped) return;
    }
  }

  async #withoutRow(): Promise<string[]> {
    const { sessions, tools } = this.#parts;
    const rows = await tools.sql.query<{ id: string }>(
      `select found.id from unnest($1::uuid[]) as found(id)
        where not exists (select from profiles where profiles.id = found.id)`,
      [await sessions.profiles()],
    );
    return rows.map(({ id }) => id);
  }

  /** As the journal says: rows are missing while a view is made anew, and after a restore from before it was created. */
  async #isDeleted(profileId: string): Promise<boolean> {
    const { state } = await this.#parts.tools.store.load(profileStream, profileId);
    return !state.exists && state.isDeleted;
  }
}
