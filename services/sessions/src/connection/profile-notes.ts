import type { EventStore } from '@messaging-gateway/event-sourcing';
import { isUnavailable, type Logger } from '@messaging-gateway/runtime';
import type { ProfileCommand } from '../profile/profile-events.ts';
import { profileStream } from '../profile/profile.ts';

export interface NotesParts {
  readonly organizationId: string;
  readonly profileId: string;
  readonly store: EventStore;
  readonly log: Logger;
}

/** Writes what happens to a connection into the profile's stream: in order, and again when the database is away. */
export class ProfileNotes {
  readonly #parts: NotesParts;
  #last: Promise<void> = Promise.resolve();

  constructor(parts: NotesParts) {
    this.#parts = parts;
  }

  /** Resolves when it is written, or refused because the profile is gone. */
  note(command: ProfileCommand): Promise<void> {
    this.#last = this.#last.then(() => this.#write(command));
    return this.#last;
  }

  async #write(command: ProfileCommand): Promise<void> {
    const { organizationId, profileId, store, log } = this.#parts;
    const metadata = {
      organizationId,
      profileId,
      subject: `organization:${organizationId}`,
      actor: 'service:sessions',
    };
    for (let attempt = 0; attempt < 60; attempt += 1) {
      try {
        await store.handle(profileStream, profileId, command, { metadata });
        return;
      } catch (error) {
        if (!isUnavailable(error))
          return log.debug('The profile takes no more notes', { profileId, reason: (error as Error).message });
        await new Promise((resolve) => setTimeout(resolve, Math.min(2_000, 50 * 2 ** attempt)).unref());
      }
    }
    log.warn('A change of a connection could not be written', { profileId, change: command.type });
  }
}
