import { bounded } from '@messaging-gateway/contracts';
import type { FactKeeper, Keeping } from '../engine/engine.ts';
import type { AttachedMedia } from './attached-media.ts';

/**
 * What strangers have chosen is bounded, so that every store and broker takes it. Facts go to the journal; those with media once these have been fetched, and so does what follows them in their chat.
 */
export function factsKept(recorder: FactKeeper, media: Pick<AttachedMedia, 'holds' | 'keep'>): FactKeeper {
  return {
    keep: (facts) => {
      const keepings: Keeping[] = [];
      return {
        changes: () =>
          facts.flatMap((told) => {
            const fact = bounded(told);
            const keeping = (media.holds(fact) ? media : recorder).keep([fact]);
            keepings.push(keeping);
            return keeping.changes();
          }),
        kept: () => {
          for (const keeping of keepings) keeping.kept();
        },
      };
    },
  };
}
