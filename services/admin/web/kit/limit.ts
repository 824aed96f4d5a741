/**
 * A limit as it was typed; nothing typed is none. What is no number goes to the server as it is, which refuses it at its field:
 * a NaN would be null in JSON, and lift the limit.
 */
export function limitIn(typed: string): number | null {
  if (typed.trim() === '') return null;
  const limit = Number(typed);
  return Number.isNaN(limit) ? (typed as unknown as number) : limit;
}
