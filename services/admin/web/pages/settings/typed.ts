/** What was typed; nothing stands for none. */
export const textOr = (typed: string): string | null => (typed.trim() === '' ? null : typed.trim());

/** A number that was typed; nothing stands for none, and what is no number goes to the server as it is, which says so. */
export function numberOr(typed: string): number | null {
  const text = typed.trim();
  if (text === '') return null;
  const value = Number(text);
  return Number.isNaN(value) ? (text as unknown as number) : value;
}

/** A secret: what was typed, or nothing, which leaves the one that is kept. */
export const secretIn = <K extends string>(name: K, typed: string): { readonly [F in K]?: string } =>
  typed === '' ? {} : ({ [name]: typed } as { readonly [F in K]: string });
