import type { KeyPair } from '@whiskeysockets/baileys';
import type { Change, SessionData } from '../../session-data/session-data-store.ts';

const bundleId = 'pre-key-bundle/first';
const halfBytes = 32;

/** The one-time keys that were made ahead, with the ids from 1 on, as a single value: one seal instead of 812. */
export const bundled = (pairs: readonly KeyPair[]): Change => ({
  room: 'signal',
  id: bundleId,
  value: Buffer.concat(pairs.flatMap((pair) => [pair.public, pair.private])),
});

export const hasBundle = async (data: SessionData): Promise<boolean> =>
  (await data.read('signal', [bundleId]))[0] !== undefined;

/** Those of the bundle, by id. */
export async function unbundle(data: SessionData, ids: readonly string[]): Promise<Record<string, KeyPair>> {
  const [bundle] = await data.read('signal', [bundleId]);
  if (bundle === undefined) return {};
  const found = ids.map((id): [string, KeyPair] | undefined => {
    const start = (Number(id) - 1) * 2 * halfBytes;
    const [middle, end] = [start + halfBytes, start + 2 * halfBytes];
    return start < 0 || end > bundle.length
      ? undefined
      : [id, { public: bundle.subarray(start, middle), private: bundle.subarray(middle, end) }];
  });
  return Object.fromEntries(found.filter((entry) => entry !== undefined));
}
