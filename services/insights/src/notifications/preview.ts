/** Characters of a text that a notification shows, UTF-16 units. */
const shown = 120;

/** The beginning of a text, and an ellipsis when it goes on. Cuts no character in two. */
export function preview(text: string): string {
  if (text.length <= shown) return text;
  const isCut = /[\ud800-\udbff]/.test(text.charAt(shown - 1));
  return `${text.slice(0, isCut ? shown - 1 : shown)}…`;
}
