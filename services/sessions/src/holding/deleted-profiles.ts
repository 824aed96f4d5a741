import { every, type ServiceTools } from '@messaging-gateway/service';
import type { ProfilesHeld } from './profiles-held.ts';
import type { SessionDataStore } from '../session-data/session-data-store.ts';
import { profileStream } from '../profiles/profile.ts';

export interface DeletedProfilesParts {
  readonly tools: Pick<ServiceTools<unknown>, 'sql' | 'store' | 'clock' | 'log'>;
  readonly held: Pick<ProfilesHeld, 'forget'>;
  readonly sessions: SessionDataStore;
}

/**
 * Removes what deleted profiles leave behind: right after they were deleted, and at start and every ten minutes what
 * could not be removed then. Several replicas may do it at the same time.
 *
 * @see docs/decisions/0488-session-data-of-deleted-profiles.md
 */
export class DeletedProfiles {
  readonly #parts: DeletedProfilesParts;
  readonly job = every('10m', 'data of deleted profiles', (signal) => this.#clearAll(signal));

  constructor(parts: DeletedProfilesParts) {
    this.#parts = parts;
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

  async #clearAll(signal: AbortSignal): Promise<void> {
    for (const profileId of await this.#withoutRow()) {
      if (await this.#isDeleted(profileId)) await this.clear(profileId);
      if (signal.aborted) return;
    }
  }

  async #withoutRow(): Promise<string[]> {
    const { sessions, tools } = this.#parts;
    const rows = await tools.sql.query<{ id: string }>(
      `SELECT found.id FROM unnest($1::uuid[]) AS found(id)
        WHERE NOT EXISTS (SELECT FROM profiles WHERE profiles.id = found.id)`,
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
