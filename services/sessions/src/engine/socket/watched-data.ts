import type { SessionData } from '../../session-data/session-data-store.ts';

/**
 * Session data whose reads that fail the session hears of before the library does. The library takes a message whose
 * keys cannot be read for one that nobody can read, and confirms it to the network, which then never delivers it again:
 * so the connection has to be closed first. Writes that a message hangs on are watched by `durableRepository`; others
 * may fail when the profile has a new holder, and the connection is handed over in its own time.
 */
export function watchedData(data: SessionData, failed: (error: Error) => void): SessionData {
  const read = (...of: Parameters<SessionData['read']>): ReturnType<SessionData['read']> =>
    data.read(...of).catch((error: unknown) => {
      failed(error as Error);
      throw error;
    });
  return {
    profileId: data.profileId,
    epoch: data.epoch,
    isLocal: data.isLocal,
    read,
    scan: (room, after, limit) => data.scan(room, after, limit),
    last: (room) => data.last(room),
    commit: (changes, patienceMs) => data.commit(changes, patienceMs),
    settled: () => data.settled(),
  };
}
