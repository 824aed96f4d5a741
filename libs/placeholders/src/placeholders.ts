import { placeholderPattern } from '@messaging-gateway/contracts';

/** A place in a text that a value goes into. */
export interface Placeholder {
  readonly name: string;
  /** Text when nobody gives a value. */
  readonly fallback?: string;
}

/** The value of a name; undefined: there is none. */
export type Lookup = (name: string) => string | undefined;

export interface Filled<T> {
  readonly filled: T;
  /** Names without a value and a fallback, each once, in the order in which they appear. */
  readonly missing: readonly string[];
}

const placeholders = new RegExp(placeholderPattern, 'g');
const placeholder = new RegExp(placeholderPattern);

/** Bytes in a text, not words: never read, never filled. */
const opaque = 'base64';

/** All texts of a message have no more characters than this together: what grows beyond is not filled to its end. */
const most = 1_048_576;

export const hasPlaceholders = (text: string): boolean => placeholder.test(text);

/** The placeholders in all strings of a value, in the order in which they appear, as often as they do. */
export function placeholdersOf(value: unknown): readonly Placeholder[] {
  if (typeof value === 'string')
    return [...value.matchAll(placeholders)].map(({ 1: name = '', 2: fallback }) =>
      fallback === undefined ? { name } : { name, fallback },
    );
  if (Array.isArray(value)) return value.flatMap(placeholdersOf);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([field, one]) => (field === opaque ? [] : placeholdersOf(one)));
}

/**
 * A copy of a value with the placeholders in its strings filled: with what is looked up, else the fallback, else `otherwise`. It is bounded, since a few placeholders of long values
 * could make gigabytes: one that grows beyond 1,048,576 characters is cut, and so is longer than any message may be.
 */
export function fill<T>(value: T, lookup: Lookup, otherwise?: string): Filled<T> {
  const missing = new Set<string>();
  let room = most;
  const fillText = (text: string): string => {
    let whole = '';
    let from = 0;
    for (const { 0: written, 1: name = '', 2: fallback, index } of text.matchAll(placeholders)) {
      const given = lookup(name) ?? fallback ?? otherwise;
      if (given === undefined) missing.add(name);
      whole += text.slice(from, index) + (given ?? written);
      from = index + written.length;
      if (whole.length > room) break;
    }
    whole += text.slice(from);
    room = Math.max(0, room - whole.length);
    return whole;
  };
  const fillValue = (one: unknown): unknown => {
    if (typeof one === 'string') return fillText(one);
    if (Array.isArray(one)) return one.map(fillValue);
    if (typeof one !== 'object' || one === null) return one;
    return Object.fromEntries(
      Object.entries(one).map(([field, inside]) => [field, field === opaque ? inside : fillValue(inside)]),
    );
  };
  return { filled: fillValue(value) as T, missing: [...missing] };
}

/** Values by their names: only what was given, nothing that every object has. */
export const valuesFrom =
  (values: Readonly<Record<string, string>>): Lookup =>
  (name) =>
    Object.hasOwn(values, name) ? values[name] : undefined;
