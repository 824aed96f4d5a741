/** Fields of contents that people read: the others are places, names of files, options of the route. */
const texts: ReadonlySet<string> = new Set(['text', 'caption', 'question', 'options', 'name', 'address', 'filename']);

/** No route takes a longer text, UTF-16 units. */
const longestText = 65_536;

const placeholders = /\{([^{}]+)\}/g;
/** Name of a variable; other words in braces are text. */
const isName = /^[\p{L}_][\p{L}\p{N}_.-]*$/u;

/**
 * The first placeholder `{name}` in the texts of a content that no variable fills, and where it stands.
 *
 * @returns for example `{ name: 'name', field: 'options[1]' }`
 */
export function missing(
  content: Readonly<Record<string, unknown>>,
  variables: Readonly<Record<string, string>> = {},
): { readonly name: string; readonly field: string } | undefined {
  const within = (value: unknown, field: string): ReturnType<typeof missing> => {
    if (Array.isArray(value)) return first(value.map((one, index) => within(one, `${field}[${index}]`)));
    if (typeof value !== 'string') return undefined;
    for (const { 1: name = '' } of value.matchAll(placeholders))
      if (isName.test(name) && !Object.hasOwn(variables, name)) return { name, field };
    return undefined;
  };
  return first(Object.entries(content).map(([field, value]) => (texts.has(field) ? within(value, field) : undefined)));
}

const first = <T>(found: readonly (T | undefined)[]): T | undefined => found.find((one) => one !== undefined);

/**
 * Fills the placeholders `{name}` in the texts of a content. What a variable brings is
 * not filled again. A text that grows beyond what any route takes is not
 * filled to its end: a few placeholders of long variables would make gigabytes of it before its length is looked at.
 */
export function filled(
  content: Readonly<Record<string, unknown>>,
  variables: Readonly<Record<string, string>> | undefined,
): Record<string, unknown> {
  if (variables === undefined) return { ...content };
  const fill = (text: string): string => {
    let whole = '';
    let from = 0;
    for (const { 0: placeholder, 1: name = '', index } of text.matchAll(placeholders)) {
      whole += text.slice(from, index) + (Object.hasOwn(variables, name) ? variables[name] : placeholder);
      from = index + placeholder.length;
      if (whole.length > longestText) return whole;
    }
    return whole + text.slice(from);
  };
  const fillValue = (value: unknown): unknown => {
    if (typeof value === 'string') return fill(value);
    return Array.isArray(value) ? value.map(fillValue) : value;
  };
  return Object.fromEntries(
    Object.entries(content).map(([field, value]) => [field, texts.has(field) ? fillValue(value) : value]),
  );
}
