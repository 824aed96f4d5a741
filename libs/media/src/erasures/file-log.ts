import { mkdir, open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { unlessAbsent } from '../local/files.ts';
import { firstOfEach, type ErasureLog, type LoggedErasure } from './erasure-log.ts';

/** One line of JSON for each erasure. Several processes may add to the file. */
export const fileErasureLog = (path: string): ErasureLog => ({
  add: async ({ userId, organizationId, wholeOrganization, owners, at }) => {
    await mkdir(dirname(path), { recursive: true });
    const file = await open(path, 'a', 0o600);
    try {
      // The blank line before it ends a line that a crash had cut off.
      await file.appendFile(`\n${JSON.stringify({ userId, organizationId, wholeOrganization, owners, at })}\n`);
      await file.datasync();
    } finally {
      await file.close();
    }
  },
  read: async () => {
    const text = (await unlessAbsent(readFile(path, 'utf8'))) ?? '';
    // A line that a crash cut off was never acknowledged.
    const lines = text.split('\n').filter((line) => line.endsWith('}'));
    return firstOfEach(lines.map((line) => JSON.parse(line) as LoggedErasure));
  },
  close: async () => undefined,
});
