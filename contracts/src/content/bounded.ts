/** Most text that a message can be sent with, UTF-16 units. */
const mostText = 65_536;
/** Of all texts together: whatever they are, as JSON they are no more than a record of Kafka takes. */
const mostTexts = 2 * mostText;
/** People mentioned, contacts, options: more than any client lets anybody choose. */
const mostInList = 1_024;

/**
 * Contents as somebody wrote them, cut where no client lets anybody write on: the index of words refuses a message of more
 * than a mebibyte of them, and Kafka a record of more than a megabyte. Texts are well-formed: JSON in PostgreSQL takes no
 * half of a character.
 */
export function bounded<T>(written: T): T {
  let left = mostTexts;
  const text = (whole: string): string => {
    const cut = whole.slice(0, Math.min(mostText, left)).toWellFormed();
    left -= cut.length;
    return cut;
  };
  const within = (value: unknown): unknown => {
    if (typeof value === 'string') return text(value);
    if (Array.isArray(value)) return value.slice(0, mostInList).map(within);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, within(one)]));
  };
  return within(written) as T;
}
