import { totalmem } from 'node:os';

const mebibyte = 1024 ** 2;
/** Shares of the machine's memory, or of what a container may use of it. */
const buffersShare = 1 / 8;
const cacheShare = 1 / 2;
/** The buffers that PostgreSQL takes by itself, and the most that one gateway has use for, MiB. */
const [fewestBuffers, mostBuffers] = [128, 512];

/**
 * How much memory the server keeps pages in, and how much it may take for kept by the system.
 *
 * @param bytes memory of the machine
 */
export function memorySettings(bytes = usableMemory()): Readonly<Record<string, string>> {
  const share = (of: number): number => Math.floor((bytes * of) / mebibyte);
  const buffers = Math.min(mostBuffers, Math.max(fewestBuffers, share(buffersShare)));
  return {
    shared_buffers: `${buffers}MB`,
    effective_cache_size: `${Math.max(buffers, share(cacheShare))}MB`,
  };
}

/** A limit that is larger than the machine is none. */
function usableMemory(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}
