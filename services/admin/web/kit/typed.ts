/** What was typed; nothing stands for none. */
export const textOr = (typed: string): string | null => (typed.trim() === '' ? null : typed.trim());

/** The words of a text that commas (of any script), semicolons or line ends separate. */
export const wordsIn = (typed: string): string[] =>
  typed
    .split(/[,،;\n]/)
    .map((word) => word.trim())
    .filter((word) => word !== '');

/** A number that has to be there: what is none goes to the server as null, which says so at the field. */
export const numberIn = (typed: string): number => (typed.trim() === '' ? Number.NaN : Number(typed));

/**
 * A number that need not be there, such as a limit; nothing typed is none. What is no number goes to the server as it is, which
 * refuses it at its field: a NaN would be null in JSON, and lift the limit.
 */
export function limitIn(typed: string): number | null {
  const text = typed.trim();
  if (text === '') return null;
  const limit = Number(text);
  return Number.isNaN(limit) ? (text as unknown as number) : limit;
}
