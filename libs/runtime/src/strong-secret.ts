/** Words of the placeholders that stand in examples. */
const placeholder = /change[-_ ]?(me|this|it)|replace[-_ ]?(me|this)|your[-_ ]?(jwt|secret|super|refresh)|placeholder/i;

/**
 * Reads a secret that signs something: required, at least 32 characters, not a placeholder, not a repetition, and
 * not the same as another one.
 *
 * @param otherVariable a variable whose secret must be independent of this one
 */
export const strongSecret =
  (otherVariable?: string) =>
  (text: string | undefined, environment: NodeJS.ProcessEnv): string => {
    if (text === undefined) throw new Error('is required');
    if (text.length < 32) throw new Error('must have at least 32 characters');
    if (isWeak(text)) throw new Error('is too weak: use random characters, for example from `openssl rand -hex 32`');
    if (otherVariable !== undefined && environment[otherVariable]?.trim() === text) {
      throw new Error(`must not be the same as ${otherVariable}`);
    }
    return text;
  };

/** Whether it can be guessed: few different characters, a placeholder, or a repetition. */
export const isWeak = (secret: string): boolean =>
  new Set(secret).size < 8 || placeholder.test(secret) || repeats(secret);

/** Whether the text is a short piece, again and again. */
function repeats(text: string): boolean {
  for (let period = 1; period <= text.length / 2; period++) {
    if (text.slice(period) === text.slice(0, -period)) return true;
  }
  return false;
}
