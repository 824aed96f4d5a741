import { erased } from './journal-entry.ts';

/** Stands for `erased` in rows and data that are written again: PostgreSQL's texts cannot hold the mark itself. */
const erasedText = '[erased]';

const erasedJson = JSON.stringify(erased);
const refused = /\\u(?:0000|d[89a-f][0-9a-f]{2})/;
const unescaped = /(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/g;

/** Whether PostgreSQL keeps this JSON as it is. */
export const isKeptAsIs = (text: string): boolean => !refused.test(text);

/**
 * JSON that PostgreSQL's jsonb takes: it refuses NUL and halves of surrogate pairs, which texts cut by others can
 * hold; both become U+FFFD. (`JSON.stringify` writes only such halves as escapes.)
 */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value);
  return isKeptAsIs(text)
    ? text
    : text.replaceAll(erasedJson, JSON.stringify(erasedText)).replace(unescaped, '$1\\ufffd');
}
