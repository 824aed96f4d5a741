import { open, readFile } from 'node:fs/promises';
import type { Erasure, ErasureLog } from '../store-options.ts';

/** Erasures in a file beside the database, one line of JSON each. Keep it with the backups. */
export function fileErasureLog(path: string): ErasureLog {
  return {
    add: async ({ schema, subject, at }) => {
      const file = await open(path, 'a', 0o600);
      try {
        // The blank line before it ends a line that a crash had cut off.
        await file.appendFile(`\n${JSON.stringify({ schema, subject, at })}\n`);
        await file.datasync();
      } finally {
        await file.close();
      }
    },
  };
}

/** What such a file holds; nothing when there is none. A line that a crash cut off was never acknowledged: left out. */
export async function readErasureLog(path: string): Promise<Erasure[]> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return text
    .split('\n')
    .filter((line) => line.endsWith('}'))
    .map((line) => JSON.parse(line) as Erasure);
}
