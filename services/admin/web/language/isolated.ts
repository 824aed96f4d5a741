/** Marks that turn the direction of what follows: embeddings, overrides, isolates, and the ends of them. */
const marks = /[\u202A-\u202E\u2066-\u2069]/;
const endOfEmbedding = '\u202C';
const endOfIsolate = '\u2069';

/**
 * A text that ends nothing that was begun before it: ends of directions that it did not begin are left out. For elements that are isolated, which
 * end by themselves what is begun in them.
 */
export const tamed = (text: string): string => (marks.test(text) ? balanced(text).made : text);

/** What is left of a text, and the marks that end what it has begun. */
function balanced(text: string): { readonly made: string; readonly ends: string } {
  const open: string[] = [];
  let made = '';
  for (const character of text) {
    if (/[\u202A\u202B\u202D\u202E]/.test(character)) open.push(endOfEmbedding);
    else if (/[\u2066-\u2068]/.test(character)) open.push(endOfIsolate);
    else if (character === endOfEmbedding) {
      if (open.at(-1) !== endOfEmbedding) continue;
      open.pop();
    } else if (character === endOfIsolate) {
      const at = open.lastIndexOf(endOfIsolate);
      if (at < 0) continue;
      open.length = at;
    }
    made += character;
  }
  return { made, ends: open.toReversed().join('') };
}

/** A text that is put into a sentence: where it turns directions, it does so within itself only. */
export function isolated(text: string): string {
  if (!marks.test(text)) return text;
  const { made, ends } = balanced(text);
  return `\u2068${made}${ends}${endOfIsolate}`;
}
