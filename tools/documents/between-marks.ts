/**
 * A page with something else between the comments `<!-- <name>:begin …` and `<!-- <name>:end -->`.
 *
 * @throws Error when the page has no such comments
 */
export function betweenMarks(page: string, name: string, content: string): string {
  const begin = page.indexOf(`<!-- ${name}:begin`);
  const end = page.indexOf(`<!-- ${name}:end -->`);
  if (begin === -1 || end < begin) throw new Error(`The page has no marks for ${name}.`);
  return `${page.slice(0, page.indexOf('\n', begin) + 1)}${content}\n${page.slice(end)}`;
}
