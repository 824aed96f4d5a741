/** Fields of contents that people read: the others are places, names of files, options of the route. */
const texts: ReadonlySet<string> = new Set(['text', 'caption', 'question', 'options', 'name', 'address', 'filename']);

/** No route takes a longer text, UTF-16 units. */
const longestText = 65_536;

/**
 * Fills the placeholders `{name}` in the texts of a content (specification §2, bulk send request). One without a variable
 * stays as it is, and what a variable brings is not filled again. A text that grows beyond what any route takes is not
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
    for (const { 0: placeholder, 1: name = '', index } of text.matchAll(/\{([^{}]+)\}/g)) {
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
