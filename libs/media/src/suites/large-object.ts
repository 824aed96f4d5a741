import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { MediaSettings } from '../settings.ts';

export interface LargeObject {
  /** Bytes. */
  readonly stored: number;
  readonly storedHash: string;
  readonly readHash: string;
  /** Bytes held at most beyond those before. */
  readonly most: number;
}

const program = fileURLToPath(new URL('large-object.child.ts', import.meta.url));

/**
 * Writes so many bytes to a store and reads them again, in a process of its own: to measure means to collect garbage
 * again and again, which takes long beside all that a process of tests holds.
 */
export async function throughStore(store: MediaSettings, key: string, size: number): Promise<LargeObject> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--disable-warning=ExperimentalWarning',
    program,
    JSON.stringify({ store, key, size }),
  ]);
  return JSON.parse(stdout) as LargeObject;
}
