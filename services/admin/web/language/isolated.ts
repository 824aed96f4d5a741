/** Marks that turn the direction of what follows: embeddings, overrides, isolates, and the ends of them. */
const marks = /[\u202A-\u202E\u2066-\u2069]/;
const endOfEmbedding = '\u202C';
const endOfIsolate = '\u2069';

/**
 * A text whose marks of direction end with it, and end nothing that was begun before it: what stands beside a name is read as it was
 * written, whatever the name holds. What can be seen of it stays as it is.
 */
export function tamed(text: string): string {
  if (!marks.test(text)) return text;
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
  return made + open.toReversed().join('');
}

/** A text that is put into a sentence: where it turns directions, it does so within itself only. */
export const isolated = (text: string): string => (marks.test(text) ? `\u2068${tamed(text)}${endOfIsolate}` : text);
