/** What stands for a value that is never shown. */
const hidden = '********';

/** Headers as they are typed, one a line. */
export const headersText = (headers: Readonly<Record<string, string>> = {}): string =>
  Object.keys(headers)
    .map((name) => `${name}: ${hidden}`)
    .join('\n');

/** Headers from lines as they were typed; what is none goes to the server as it is, which says so. Undefined: there are none. */
export function headersIn(text: string): Record<string, string> | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length === 0) return undefined;
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf(':');
      return at < 0 ? [line.trim(), ''] : [line.slice(0, at).trim(), line.slice(at + 1).trim()];
    }),
  );
}

/** A secret of 24 bytes, as receivers of standard webhooks take it. */
export function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return `whsec_${btoa(String.fromCharCode(...bytes))}`;
}
