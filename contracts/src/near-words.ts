import leven from 'leven';

/** Longer texts are no misspelt word. */
const longest = 64;
/** Letters that may be wrong: a third of the word, three at most. */
const mostWrong = 3;
/** Words that are offered, at most. */
const mostOffered = 3;

/** Words for which a text may have been meant, the nearest first. */
export function nearWords(text: string, words: readonly string[]): string[] {
  if (text.length > longest) return [];
  const given = text.toLowerCase();
  const allowed = Math.min(mostWrong, Math.floor(given.length / 3));
  const near = words.flatMap((word) => {
    const distance = leven(given, word.toLowerCase(), { maxDistance: allowed + 1 });
    return distance <= allowed ? [{ word, distance }] : [];
  });
  return near
    .toSorted((one, other) => one.distance - other.distance)
    .slice(0, mostOffered)
    .map(({ word }) => word);
}
