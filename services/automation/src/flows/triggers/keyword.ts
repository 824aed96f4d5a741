import type { Incoming, Match } from '../../answerers/compiled.ts';
import { findWords, folded, wordsOf, type Words } from './words.ts';

const remembered = new WeakMap<Incoming, Words>();

/** A message is folded once, however many flows look at it. */
function wordsIn(message: Incoming): Words {
  const words = remembered.get(message) ?? wordsOf(message.text);
  remembered.set(message, words);
  return words;
}

/** Set off by any of some words, or several words each, that stand as whole words in the text; case does not count. */
export function keywordTrigger(keywords: readonly string[]): (message: Incoming) => Match | undefined {
  const wanted = keywords.map((keyword) => folded(keyword).trim()).filter((keyword) => keyword !== '');
  return (message) => {
    const words = wordsIn(message);
    for (const keyword of wanted) {
      const text = findWords(words, keyword);
      if (text !== undefined) return { text, groups: [] };
    }
    return undefined;
  };
}
