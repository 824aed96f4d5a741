// Writes an object whose last byte never comes: see `dying-writer.ts`.
import { openMediaStore } from '../open-media-store.ts';
import type { MediaSettings } from '../settings.ts';
import { generated } from './sources.ts';

const { store, key, size } = JSON.parse(process.argv[2] ?? '') as { store: MediaSettings; key: string; size: number };

async function* neverEnding(): AsyncGenerator<Uint8Array> {
  yield* generated(size);
  process.stdout.write('written\n');
  await new Promise((resolve) => setTimeout(resolve, 3_600_000));
}

await (await openMediaStore(store)).put(key, neverEnding());
