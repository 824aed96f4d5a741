// One profile that sends and receives a large document, and says how much memory that took: see `large-media.ts`.
import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { mediaKey } from '@messaging-gateway/contracts';
import { localMediaStore, mediaSources } from '@messaging-gateway/media';
import { generated } from '@messaging-gateway/media/testing';
import { retainedMemory } from '@messaging-gateway/testing/retained-memory';
import { v7 } from 'uuid';
import { newNetworkId, openStore, testProfile, until } from './engine-harness.ts';
import type { LargeMediaOrder, LargeMediaTold } from './large-media.ts';

const { network, directory, to, size } = JSON.parse(process.argv[2] ?? '') as LargeMediaOrder;
const tell = (told: LargeMediaTold): void => void process.send?.(told);
const patienceMs = 300_000;
const store = localMediaStore(`${directory}/media`);
const sources = mediaSources({ store, policy: { allowPrivate: false } });
const sessions = await openStore(`${directory}/sessions`);
const profile = await testProfile(network, sessions, v7(), 1, {
  open: async (...asked) => {
    const opened = await sources.open(...asked);
    return { ...opened, stream: Readable.from(watched(opened.stream), { objectMode: false }) };
  },
});
const place = { organizationId: v7() };

const every = 4 * 1024 * 1024;
let sample = async (): Promise<void> => undefined;

/** Measures each time when so many bytes have passed. */
async function* watched(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let passed = 0;
  for await (const part of source) {
    if (Math.floor(passed / every) !== Math.floor((passed += part.length) / every)) await sample();
    yield part;
  }
}

/** Memory in use besides that in use before, at most, bytes. Measured while bytes pass, and now and then. */
async function measured<Result>(work: () => Promise<Result>): Promise<{ result: Result; most: number }> {
  const before = await retainedMemory();
  let most = 0;
  sample = async () => void (most = Math.max(most, (await retainedMemory()) - before));
  let working = true;
  const watching = (async () => {
    while (working) {
      const start = performance.now();
      await sample();
      // Collecting takes long; the work goes on in between.
      await setTimeout(200 + 4 * (performance.now() - start));
    }
  })();
  try {
    const result = await work();
    return { result, most };
  } finally {
    working = false;
    await watching;
  }
}

async function send(bytes: number): Promise<{ outcome: string; sha256: string; most: number }> {
  const key = mediaKey(place, v7());
  const { sha256 } = await store.put(key, generated(bytes));
  const content = { type: 'document', content: { filename: 'large.bin' }, media: { key } } as const;
  const order = { networkMessageId: newNetworkId(), to: `${to}@c.us`, content, deadline: Date.now() + patienceMs };
  const { result, most } = await measured(() => profile.session.send({ ...order, record: () => [] }));
  return { ...result, sha256, most };
}

async function receive(index: number): Promise<{ sha256: string; most: number }> {
  const fact = await until(() => profile.facts.filter(({ kind }) => kind === 'message')[index], patienceMs);
  const attachment = fact.kind === 'message' ? fact.attachment : undefined;
  if (attachment === undefined) throw new Error('The message has no media.');
  const { result, most } = await measured(async () =>
    store.put(mediaKey(place, v7()), watched(await profile.download(attachment, patienceMs)), { limit: 2 * size }),
  );
  return { sha256: result.sha256, most };
}

await profile.session.start();
tell({ qr: await until(() => profile.qr.at(-1)) });
await until(() => profile.opened > 0, patienceMs);
// What is loaded and kept once is not counted.
await send(100_000);
tell({ ready: true });
await receive(0);
tell({ sent: await send(size) });
tell({ received: await receive(1) });
process.once('disconnect', () => process.exit(0));
