/** Fields of contents that people read: the others are places, names of files, options of the route. */
const texts: ReadonlySet<string> = new Set(['text', 'caption', 'question', 'options', 'name', 'address', 'filename']);

/**
 * Fills the placeholders `{name}` in the texts of a content (specification §2, bulk send request). One without a variable
 * stays as it is, and what a variable brings is not filled again.
 */
export function filled(
  content: Readonly<Record<string, unknown>>,
  variables: Readonly<Record<string, string>> | undefined,
): Record<string, unknown> {
  if (variables === undefined) return { ...content };
  const fill = (text: string): string =>
    text.replaceAll(/\{([^{}]+)\}/g, (placeholder, name: string) =>
      Object.hasOwn(variables, name) ? (variables[name] ?? placeholder) : placeholder,
    );
  const fillValue = (value: unknown): unknown => {
    if (typeof value === 'string') return fill(value);
    return Array.isArray(value) ? value.map(fillValue) : value;
  };
  return Object.fromEntries(
    Object.entries(content).map(([field, value]) => [field, texts.has(field) ? fillValue(value) : value]),
  );
}
