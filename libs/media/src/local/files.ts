import { open } from 'node:fs/promises';

/** Folder of what is being written. */
export const partsFolder = '.parts';

/** The file beside an object that holds its facts. */
export const factsFile = (path: string): string => `${path}.json`;

/** Undefined for a file or folder that is not there. */
export async function unlessAbsent<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Forces a folder's entries to the disk. */
export async function sync(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
