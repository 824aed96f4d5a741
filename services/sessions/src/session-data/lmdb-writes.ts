import type { Database } from 'lmdb';
import { pageBytes, type DiskReserve } from './disk-reserve.ts';
import { SessionDataUnavailable } from './session-data-store.ts';

export interface Write {
  readonly key: Buffer;
  readonly value: Buffer | undefined;
}

/** Depth of the tree and a split on the way. */
const pathPages = 7;
/** The database's own lists of free pages. */
const ownPages = 32;

/** Writes groups into the environment, all or nothing. @throws SessionDataUnavailable */
export const lmdbWriter =
  (database: Database<Buffer, Buffer>, reserve: DiskReserve) =>
  async (group: readonly (readonly Write[])[]): Promise<[]> => {
    try {
      await reserve.take(growthOf(group));
      await database.batch(() => {
        for (const { key, value } of group.flat())
          void (value === undefined ? database.remove(key) : database.put(key, value));
      });
      return [];
    } catch (error) {
      const cause = await causeOf(error);
      if (cause instanceof SessionDataUnavailable) throw cause;
      throw new SessionDataUnavailable('The session data cannot be written.', { cause });
    }
  };

/** The most by which the file can grow: the pages of each value, and those on the way to it, all copied. */
function growthOf(group: readonly (readonly Write[])[]): number {
  const pages = group
    .flat()
    .reduce((sum, { value }) => sum + pathPages + Math.ceil((value?.length ?? 0) / pageBytes), ownPages);
  return pages * pageBytes;
}

/** The database hides the reason of a failed commit in a promise that must be taken care of. */
async function causeOf(error: unknown): Promise<unknown> {
  const { commitError } = error as { commitError?: Promise<unknown> };
  return commitError === undefined ? error : commitError.catch((reason: unknown) => reason);
}
