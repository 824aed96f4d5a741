import { open, type FileHandle } from 'node:fs/promises';
import { SessionDataUnavailable } from '../session-data-store.ts';

export const pageBytes = 4096;
const stepBytes = 4 * 1024 * 1024;
const zeros = Buffer.alloc(256 * 1024);

/**
 * Keeps space in the database file, written ahead with zeros, for everything that the next commit can need. LMDB's
 * native code must never meet a full disk: in version 3.5.6 it writes past a buffer when it reports that, which ends
 * the process. A full disk shows here instead, before anything is handed to it.
 */
export class DiskReserve {
  readonly #file: FileHandle;
  readonly #usedBytes: () => number;
  #allocated: number;
  /** What is surely free for the next commits. */
  #left = 0;

  private constructor(file: FileHandle, allocated: number, usedBytes: () => number) {
    this.#file = file;
    this.#allocated = allocated;
    this.#usedBytes = usedBytes;
  }

  /** @param usedBytes how much of the file the database uses now */
  static async open(path: string, usedBytes: () => number): Promise<DiskReserve> {
    const file = await open(path, 'r+');
    // What lies beyond the used part may be a hole that a crash left: it is written anew.
    return new DiskReserve(file, usedBytes(), usedBytes);
  }

  /** Takes so many bytes for a commit. @throws SessionDataUnavailable when the disk has no space for them */
  async take(bytes: number): Promise<void> {
    if (this.#left < bytes) this.#left = this.#allocated - this.#usedBytes();
    if (this.#left < bytes) await this.#extend(bytes);
    this.#left -= bytes;
  }

  async close(): Promise<void> {
    await this.#file.close();
  }

  async #extend(bytes: number): Promise<void> {
    const goal = this.#usedBytes() + Math.max(stepBytes, bytes);
    try {
      while (this.#allocated < goal) {
        const { bytesWritten } = await this.#file.write(
          zeros,
          0,
          Math.min(zeros.length, goal - this.#allocated),
          this.#allocated,
        );
        this.#allocated += bytesWritten;
      }
    } catch (error) {
      this.#left = this.#allocated - this.#usedBytes();
      if (this.#left < bytes)
        throw new SessionDataUnavailable('There is no room on the disk for session data.', { cause: error });
      return;
    }
    this.#left = this.#allocated - this.#usedBytes();
  }
}
