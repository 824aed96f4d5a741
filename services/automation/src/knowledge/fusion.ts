import type { Place } from './word-search.ts';

/** So much a place counts for less behind the first ones: the usual constant of reciprocal rank fusion. */
const flatness = 60;

/** Joins lists by reciprocal rank: what stands far ahead in several of them comes first. @returns scores from 0 to 1, which is first in all */
export function fused(lists: readonly (readonly Place[])[]): (Place & { score: number })[] {
  const found = new Map<string, Place & { score: number }>();
  for (const list of lists)
    list.forEach(({ document_id, ordinal }, place) => {
      const name = `${document_id} ${ordinal}`;
      const score = (flatness + 1) / (flatness + 1 + place) / lists.length;
      found.set(name, { document_id, ordinal, score: (found.get(name)?.score ?? 0) + score });
    });
  return [...found.values()].toSorted((one, other) => other.score - one.score);
}
