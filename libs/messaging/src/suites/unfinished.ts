import { setTimeout as delay } from 'node:timers/promises';

/**
 * The work of a handler whose process is to be killed in the middle, however long the one who kills takes: each piece takes
 * a moment, and the last of so many never ends.
 */
export function unfinished(pieces: number, eachMs: number): () => Promise<void> {
  let begun = 0;
  return async () => {
    begun += 1;
    await (begun < pieces ? delay(eachMs) : new Promise<void>(() => undefined));
  };
}
