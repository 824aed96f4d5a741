import { createHash } from 'node:crypto';

/** 32 bytes that depend on nothing but the seed and what they are for: the same simulator twice has the same keys. */
export function derive(seed: string, purpose: string): Buffer {
  return createHash('sha256').update(seed).update('\0').update(purpose).digest();
}
