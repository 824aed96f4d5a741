import type { SessionData } from '../../session-data/session-data-store.ts';

/**
 * Session data whose faults the session hears of before the library does. The library takes a message whose keys cannot
 * be read for one that nobody can read, and confirms it to the network, which then never delivers it again: so the
 * connection has to be closed first, whether it is a write that fails or a read.
 */
export function watchedData(data: SessionData, failed: (error: Error) => void): SessionData {
  const watched = <Result>(work: Promise<Result>): Promise<Result> =>
    work.catch((error: unknown) => {
      failed(error as Error);
      throw error;
    });
  return {
    profileId: data.profileId,
    epoch: data.epoch,
    read: (room, ids) => watched(data.read(room, ids)),
    scan: (room, after, limit) => watched(data.scan(room, after, limit)),
    commit: (changes, patienceMs) => watched(data.commit(changes, patienceMs)),
    settled: () => data.settled(),
  };
}
