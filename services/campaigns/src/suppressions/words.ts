/** Blanks, punctuation, symbols, and what is not seen. */
const nothing = /[\p{Z}\p{P}\p{S}\p{C}\p{Me}\p{Default_Ignorable_Code_Point}]+/gu;

/** With how many characters one letter may be written, at most. */
const widest = 4;

const bare = (text: string): string => text.replaceAll(nothing, '');

/** Without regard to case, in any script: `İ` and `ß` have upper cases that are not one letter. */
const folded = (text: string): string =>
  bare(
    bare(text.normalize('NFKC'))
      .toUpperCase()
      .toLowerCase()
      // The lower case of the dotted capital I has its dot beside it.
      .replaceAll('i\u0307', 'i')
      .normalize('NFKC'),
  );

/** A word as it is compared: without blanks, punctuation and symbols, in lower case. Empty: it has no letter and no digit. */
export const wordForm = (word: string): string => folded(bare(word));

/**
 * The one of some words that a text is exactly; undefined: none. Blanks, punctuation, symbols and case do not count. A text
 * that is too long for any of them is not looked at closely.
 */
export function wordIn(text: string, words: ReadonlyMap<string, string>): string | undefined {
  for (const form of formsOf(text)) {
    const word = words.get(form);
    if (word !== undefined) return word;
  }
  return undefined;
}

/** Words by the forms in which they are compared. */
export const byForm = (words: readonly string[]): ReadonlyMap<string, string> =>
  new Map(words.toReversed().map((word) => [wordForm(word), word]));

/** The most characters that a word has. */
const longestWord = 64;

/** Whether a text can be a word, whatever the words are. */
export function mayBeWord(text: string | undefined): text is string {
  if (text === undefined || text === '') return false;
  const { length } = bare(text);
  return length > 0 ? length <= longestWord * widest : text.length <= longestWord;
}

/** Letters in circles are symbols: a text of nothing else counts as those letters. */
const formsOf = (text: string): string[] => [wordForm(text), folded(text)].filter((form) => form !== '');
