import type { Fact, FactKeeper } from '../engine/engine.ts';
import type { AttachedFact, AttachedMedia } from './attached-media.ts';

/** Facts go to the journal; those with media once these have been fetched. */
export function factsKept(recorder: FactKeeper, media: AttachedMedia): FactKeeper {
  return {
    keep: (facts) => {
      const told = recorder.keep(facts.filter((fact) => !isAttached(fact)));
      const waiting = media.keep(facts.filter(isAttached));
      return {
        changes: [...told.changes, ...waiting.changes],
        kept: () => {
          told.kept();
          waiting.kept();
        },
      };
    },
  };
}

const isAttached = (fact: Fact): fact is AttachedFact => fact.kind === 'message' && fact.attachment !== undefined;
