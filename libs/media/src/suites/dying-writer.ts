import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { MediaSettings } from '../settings.ts';

/** The settings of a store that another process writes to. */
export type WriterStore = MediaSettings;

const program = fileURLToPath(new URL('dying-writer.child.ts', import.meta.url));

/** Another process writes so many bytes of an object, and is killed before it has written the last one. */
export async function dieWhileWriting(store: WriterStore, key: string, size: number): Promise<void> {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', program, JSON.stringify({ store, key, size })],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const exit = once(child, 'exit');
  await Promise.race([
    once(child.stdout, 'data'),
    exit.then(() => {
      throw new Error('The writer ended by itself.');
    }),
  ]);
  child.kill('SIGKILL');
  await exit;
}
