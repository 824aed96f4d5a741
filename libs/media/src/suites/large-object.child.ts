// Writes and reads a large object, and prints how much memory that took at most: see `large-object.ts`.
import { createHash } from 'node:crypto';
import { retainedMemory } from '@messaging-gateway/testing/retained-memory';
import { openMediaStore } from '../open-media-store.ts';
import type { MediaSettings } from '../settings.ts';
import type { MediaObject } from '../store.ts';
import type { LargeObject } from './large-object.ts';
import { generated } from './sources.ts';

interface Order {
  readonly store: MediaSettings;
  readonly key: string;
  readonly size: number;
}

const every = 16 * 1024 * 1024;
const { store: settings, key, size } = JSON.parse(process.argv[2] ?? '') as Order;
const store = await openMediaStore(settings);
const before = await retainedMemory();
let most = 0;
const watch = async (): Promise<void> => {
  most = Math.max(most, (await retainedMemory()) - before);
};
const stored = await store.put(key, generated(size, undefined, watch));
const hash = createHash('sha256');
let read = 0;
const found = (await store.get(key)) as MediaObject;
for await (const part of found.stream as AsyncIterable<Buffer>) {
  hash.update(part);
  if (Math.floor(read / every) !== Math.floor((read += part.length) / every)) await watch();
}
const told: LargeObject = { stored: stored.size, storedHash: stored.sha256, readHash: hash.digest('hex'), most };
process.stdout.write(JSON.stringify(told), () => process.exit(0));
