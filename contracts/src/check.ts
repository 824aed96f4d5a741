import { Ajv, str, type FuncKeywordDefinition, type ValidateFunction, type ErrorObject } from 'ajv';
import addFormats from 'ajv-formats';
import type { TSchema } from 'typebox';
import { normalizePhone, parseRecipient } from './recipient.ts';

/** A form of texts: what fits, and the sentence for who wrote something else. */
interface TextFormat {
  /** Absent: the library's own. */
  readonly fits?: (text: string) => boolean;
  readonly form: string;
  /** Of a format of our own: for who knows patterns only. Whatever fits matches it. */
  readonly pattern?: string;
}

const digits = String.raw`(?:\s*\+)?[\s.()[\]-]*(?:\d[\s.()[\]-]*){7,15}`;
const userPattern = String.raw`${digits}(?:@(?:c\.us|s\.whatsapp\.net))?`;
const personPattern = String.raw`${userPattern}|\d{5,32}@lid`;
const chatPattern = String.raw`${personPattern}|\d{5,32}(?:-\d{5,32})?@g\.us`;

/** One emoji as it is seen, whatever it is made of; those that look like text without a selector too. */
const oneEmoji = /^(?:\p{RGI_Emoji}|\p{Extended_Pictographic}\uFE0F?)$/v;
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
/** Longer than any date, so that long texts are not taken apart. */
const longestTime = 64;

/** The formats of our own, and how those of the library are called in words. */
export const textFormats: Readonly<Record<string, TextFormat>> = {
  recipient: {
    fits: (text) => parseRecipient(text) !== undefined,
    form: 'must be a phone with its country code (7 to 15 digits), or <digits>@c.us, <id>@lid or <id>@g.us',
    pattern: `^(?:${chatPattern})$`,
  },
  person: {
    fits: (text) => (parseRecipient(text)?.kind ?? 'group') !== 'group',
    form: 'must be a phone with its country code (7 to 15 digits), or <digits>@c.us or <id>@lid',
    pattern: `^(?:${personPattern})$`,
  },
  chat: {
    fits: (text) => uuid.test(text) || parseRecipient(text) !== undefined,
    form: "must be a conversation's id, a phone with its country code (7 to 15 digits), or <digits>@c.us, <id>@lid or <id>@g.us",
    pattern: String.raw`^(?:[\da-fA-F]{8}(?:-[\da-fA-F]{4}){3}-[\da-fA-F]{12}|${chatPattern})$`,
  },
  phone: {
    fits: (text) => normalizePhone(text) !== undefined,
    form: 'must be a phone with its country code, 7 to 15 digits',
    pattern: `^${digits}$`,
  },
  code: {
    fits: (text) => /^[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*$/.test(text),
    form: 'must be letters and digits, with hyphens between them',
    pattern: '^[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*$',
  },
  emoji: {
    fits: (text) => text === '' || oneEmoji.test(text),
    form: 'must be one emoji, or empty',
    pattern: String.raw`^(?:[#*0-9]?[^\x00-\x7F]+)?$`,
  },
  // The library's also takes leap seconds and offsets without minutes, of which no `Date` can be made.
  'date-time': {
    form: 'must be a time with its zone in ISO 8601, such as 2026-01-31T12:00:00.000Z',
  },
  uuid: { form: 'must be a UUID, such as 0198c0de-0000-7000-8000-000000000001' },
  email: { form: 'must be an e-mail address' },
};

/** Whether a text that the library takes for a time is one. */
export const isTime = (ofLibrary: (text: string) => boolean, text: string): boolean =>
  text.length <= longestTime && ofLibrary(text) && !Number.isNaN(Date.parse(text));

/** Of a larger input only the first fault is looked for, characters. */
const smallSize = 16_384;
/** Size of a value beside its name and text. */
const sizeOfValue = 8;

// That contracts are valid schemas is tested; looking at it in each process takes a fifth of the time of all checks.
const options = { strict: false, useDefaults: true, discriminator: true, validateSchema: false } as const;
/** Lengths count in UTF-16 units, as clients count them; the library counts code points. Looked at before form and pattern. */
const longest: FuncKeywordDefinition = {
  keyword: 'maxLength',
  type: 'string',
  schemaType: 'number',
  before: 'minLength',
  validate: (most: number, text: string) => text.length <= most,
  error: { message: ({ schemaCode }) => str`must have at most ${schemaCode} characters` },
};

/** One way to check: the checks of schemas are compiled when they are first needed. */
class Checks {
  readonly #ajv: Ajv;
  readonly #compiled = new WeakMap<TSchema, ValidateFunction>();

  constructor(given: { readonly allErrors: boolean; readonly coerceTypes?: 'array' }) {
    this.#ajv = withFormats(new Ajv({ ...options, ...given }));
  }

  of(schema: TSchema): ValidateFunction {
    const known = this.#compiled.get(schema);
    if (known !== undefined) return known;
    const made = this.#ajv.compile(schema);
    this.#compiled.set(schema, made);
    return made;
  }
}

function withFormats(ajv: Ajv): Ajv {
  addFormats.default(ajv);
  const { validate } = ajv.formats['date-time'] as { validate: (text: string) => boolean };
  ajv.removeKeyword('maxLength').addKeyword(longest);
  for (const [name, { fits }] of Object.entries(textFormats)) if (fits !== undefined) ajv.addFormat(name, fits);
  ajv.addFormat('date-time', (text: string) => isTime(validate, text));
  return ajv;
}

/** Query strings and path parameters arrive as strings; a list of one arrives as its item. */
const coercing = { coerceTypes: 'array' } as const;
/** Ends at the first fault, so that a large input with many costs no more than one with few. */
const first = { strict: new Checks({ allErrors: false }), coercing: new Checks({ allErrors: false, ...coercing }) };
const all = { strict: new Checks({ allErrors: true }), coercing: new Checks({ allErrors: true, ...coercing }) };

/**
 * Checks a value against a contract's schema; fills in defaults in place.
 *
 * @param where the first word of each path: `body`, `query`, `params`, `data`
 * @param coerce read numbers and booleans from strings (query and path)
 * @returns the faults, none when the value fits: 50 at most, and of a large value the first one
 */
export function check(schema: TSchema, value: unknown, where: string, coerce = false): Fault[] {
  const way = coerce ? 'coercing' : 'strict';
  const quick = first[way].of(schema);
  if (quick(value)) return [];
  const thorough = isSmall(value) ? all[way].of(schema) : quick;
  if (thorough !== quick) thorough(value);
  return faultsOf(thorough.errors ?? [], where);
}

function isSmall(value: unknown): boolean {
  let size = 0;
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === 'string') size += next.length;
    if (typeof next === 'object' && next !== null) {
      for (const name in next) {
        size += name.length + sizeOfValue;
        if (size > smallSize) return false;
        open.push((next as Record<string, unknown>)[name]);
      }
    }
    if (size > smallSize) return false;
  }
  return true;
}

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
