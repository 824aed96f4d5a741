import { erased } from './journal-entry.ts';

/** Stands for `erased` in rows and data that are written again: PostgreSQL's texts cannot hold the mark itself. */
const erasedText = '[erased]';

const erasedJson = JSON.stringify(erased);
const refused = /\\u(?:0000|d[89a-f][0-9a-f]{2})/;
const unescaped = /(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/g;

/** Whether PostgreSQL keeps this as it is. */
export function isKeptAsIs(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0');
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, field]) => isKeptAsIs(name) && isKeptAsIs(field));
}

/**
 * JSON that PostgreSQL's jsonb takes: it refuses NUL and halves of surrogate pairs, which texts cut by others can
 * hold; both become U+FFFD. (`JSON.stringify` writes only such halves as escapes.)
 */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value);
  return refused.test(text)
    ? text.replaceAll(erasedJson, JSON.stringify(erasedText)).replace(unescaped, '$1\\ufffd')
    : text;
}
