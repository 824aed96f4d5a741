import type { ErrorObject } from 'ajv';
import { textFormats } from './check.ts';

/** One fault of an input: a path such as `body.messages[2].to` and a sentence. */
export interface Fault {
  readonly path: string;
  readonly message: string;
}

/** Faults that are told of one input, at most. */
export const mostFaults = 50;
/** Allowed words that are named in one fault, at most. */
const mostWords = 10;
/** Characters of a path: names of fields in it are the client's own. */
const longestPath = 128;

/** Faults as they are told: each once, so many at most. */
export function faultsOf(errors: readonly ErrorObject[], where: string): Fault[] {
  const told = new Map<string, Fault>();
  for (const error of errors) {
    if (told.size === mostFaults) break;
    const fault = faultOf(error, where);
    const key = JSON.stringify(fault);
    if (!told.has(key)) told.set(key, fault);
  }
  return [...told.values()];
}

function faultOf(error: ErrorObject, where: string): Fault {
  const at = where + error.instancePath.replaceAll(/\/(\d+)/g, '[$1]').replaceAll('/', '.');
  const { params } = error;
  switch (error.keyword) {
    case 'required':
      return { path: clipped(`${at}.${params['missingProperty']}`), message: 'is required' };
    case 'additionalProperties':
      return { path: clipped(`${at}.${params['additionalProperty']}`), message: 'is not a known field' };
    case 'discriminator':
      return { path: clipped(`${at}.${params['tag']}`), message: 'is none of the kinds known here' };
    default:
      return { path: clipped(at), message: sentences[error.keyword]?.(params) ?? error.message ?? 'is not valid' };
  }
}

const clipped = (path: string): string => (path.length > longestPath ? `${path.slice(0, longestPath)}…` : path);

const sentences: Readonly<Record<string, (params: ErrorObject['params']) => string | undefined>> = {
  format: ({ format }) => textFormats[format as string]?.form,
  enum: ({ allowedValues }) => `must be ${wordsOf(allowedValues as readonly unknown[])}`,
  type: ({ type }) => typeSentence([type as string | readonly string[]].flat()),
  minLength: ({ limit }) => (limit === 1 ? 'must not be empty' : `must have at least ${limit} characters`),
  minItems: ({ limit }) => `must have at least ${counted(limit as number, 'item')}`,
  maxItems: ({ limit }) => `must have at most ${counted(limit as number, 'item')}`,
  minProperties: ({ limit }) => `must have at least ${counted(limit as number, 'field')}`,
  maxProperties: ({ limit }) => `must have at most ${counted(limit as number, 'field')}`,
  minimum: ({ limit }) => `must be at least ${limit}`,
  maximum: ({ limit }) => `must be at most ${limit}`,
  uniqueItems: ({ i, j }) =>
    `must not hold an item twice (items ${Math.min(i as number, j as number)} and ${Math.max(i as number, j as number)} are the same)`,
  pattern: ({ pattern }) => (pattern === String.raw`\S` ? 'must not be blank' : undefined),
};

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

function wordsOf(words: readonly unknown[]): string {
  if (words.length === 1) return String(words[0]);
  const more = words.length - mostWords;
  return `one of ${words.slice(0, mostWords).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
};
const typeSentence = (types: readonly string[]): string =>
  `must be ${types.map((type) => typeWords[type] ?? type).join(' or ')}`;
