import { Ajv, str, type FuncKeywordDefinition, type ValidateFunction, type ErrorObject } from 'ajv';
import addFormats from 'ajv-formats';
import type { TSchema } from 'typebox';
import { nearWords } from './near-words.ts';
import { isTime, textFormats } from './text-formats.ts';

/** Of a larger input only the first fault is looked for, characters. */
const smallSize = 16_384;
/** Size of a value beside its name and text. */
const sizeOfValue = 8;

// That contracts are valid schemas is tested; looking at it in each process takes a fifth of the time of all checks.
// Faults carry the value and its schema (`verbose`), to say what may have been meant.
const options = {
  strict: false,
  useDefaults: true,
  discriminator: true,
  validateSchema: false,
  verbose: true,
} as const;
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
  /** All words of a long list, with the first fault that is about it. */
  readonly allowed?: readonly string[];
}

/** Faults that are told of one input, at most. */
export const mostFaults = 50;
/** Allowed words that a sentence names, at most: of more it names those that may have been meant. */
const mostWords = 10;
/** Words of a long list that stand beside its sentence, at most. */
const mostListed = 100;
/** Characters of a path: names of fields in it are the client's own. */
const longestPath = 128;

/** Faults as they are told: each once, so many at most. */
export function faultsOf(errors: readonly ErrorObject[], where: string): Fault[] {
  const told = new Map<string, Fault>();
  const listed = new Set<unknown>();
  for (const error of withoutUnions(errors)) {
    if (told.size === mostFaults) break;
    // What the chosen branch says stands beside it.
    if (error.keyword === 'if') continue;
    const { path, message } = faultOf(error, where);
    const key = JSON.stringify([path, message]);
    if (told.has(key)) continue;
    const { allowedValues: allowed } = error.params as { readonly allowedValues?: readonly string[] };
    const isListed = error.keyword === 'enum' && isLong(allowed) && !listed.has(error.schema);
    if (isListed) listed.add(error.schema);
    told.set(key, { path, message, ...(isListed && { allowed: allowed.slice(0, mostListed) }) });
  }
  return [...told.values()];
}

const isLong = (words: readonly unknown[] | undefined): words is readonly string[] => (words?.length ?? 0) > mostWords;

/** Errors without those of unions: a value of several kinds is told by its members, their types as one fault. */
function withoutUnions(errors: readonly ErrorObject[]): ErrorObject[] {
  const types = new Map<string, string[]>();
  const others = new Set<string>();
  for (const { keyword, instancePath: path, params } of errors) {
    if (unions.has(keyword)) continue;
    if (keyword === 'type')
      types.set(path, [...(types.get(path) ?? []), ...[params['type'] as string | string[]].flat()]);
    else for (let at = path; !others.has(at); at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) others.add(at);
  }
  return errors.flatMap((error) => {
    const { keyword, instancePath: path } = error;
    const found = [...new Set(types.get(path))];
    if (unions.has(keyword)) return others.has(path) || found.length > 0 ? [] : [error];
    if (keyword !== 'type') return [error];
    return others.has(path) ? [] : [{ ...error, params: { type: found } }];
  });
}
const unions: ReadonlySet<string> = new Set(['anyOf', 'oneOf']);

function faultOf(error: ErrorObject, where: string): Fault {
  const at = where + error.instancePath.replaceAll(/\/(\d+)/g, '[$1]').replaceAll('/', '.');
  const { params } = error;
  switch (error.keyword) {
    case 'required':
      return { path: clipped(`${at}.${params['missingProperty']}`), message: 'is required' };
    case 'additionalProperties': {
      const field = String(params['additionalProperty']);
      return { path: clipped(`${at}.${field}`), message: `is not a known field${meant(field, fieldsOf(error))}` };
    }
    case 'discriminator': {
      const tag = String(params['tag']);
      return { path: clipped(`${at}.${tag}`), message: enumSentence(kindsOf(error, tag), params['tagValue']) };
    }
    default:
      return {
        path: clipped(at),
        message: sentences[error.keyword]?.(params, error.data) ?? error.message ?? 'is not valid',
      };
  }
}

const clipped = (path: string): string => (path.length > longestPath ? `${path.slice(0, longestPath)}…` : path);

interface Shape {
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly oneOf?: readonly Shape[];
}

const fieldsOf = ({ parentSchema }: ErrorObject): string[] => Object.keys((parentSchema as Shape).properties ?? {});

const kindsOf = ({ parentSchema }: ErrorObject, tag: string): string[] =>
  (parentSchema as Shape).oneOf?.flatMap(({ properties }) =>
    [properties?.[tag]?.const].filter((one) => typeof one === 'string'),
  ) ?? [];

/** Known words that may have been meant by an unknown one, as the end of a sentence; nothing when it is like none. */
function meant(text: unknown, words: readonly string[]): string {
  const near = typeof text === 'string' ? nearWords(text, words) : [];
  return near.length === 0 ? '' : `; did you mean ${near.join(' or ')}?`;
}

const sentences: Readonly<Record<string, (params: ErrorObject['params'], value: unknown) => string | undefined>> = {
  format: ({ format }) => textFormats[format as string]?.form,
  enum: ({ allowedValues }, value) => enumSentence(allowedValues as readonly unknown[], value),
  const: ({ allowedValue }) => `must be ${String(allowedValue)}`,
  type: ({ type }) => typeSentence(type as readonly string[]),
  minLength: ({ limit }) => (limit === 1 ? 'must not be empty' : `must have at least ${limit} characters`),
  minItems: ({ limit }) => `must have at least ${counted(limit as number, 'item')}`,
  maxItems: ({ limit }) => `must have at most ${counted(limit as number, 'item')}`,
  minProperties: ({ limit }) => `must have at least ${counted(limit as number, 'field')}`,
  maxProperties: ({ limit }) => `must have at most ${counted(limit as number, 'field')}`,
  minimum: ({ limit }) => `must be at least ${limit}`,
  maximum: ({ limit }) => `must be at most ${limit}`,
  uniqueItems: ({ i, j }) =>
    `must not hold an item twice (items ${Math.min(i as number, j as number)} and ${Math.max(i as number, j as number)} are the same)`,
  pattern: ({ pattern }) => formOfPattern(pattern as string),
};

const formOfPattern = (pattern: string): string | undefined =>
  pattern === String.raw`\S`
    ? 'must not be blank'
    : Object.values(textFormats).find((format) => format.pattern === pattern)?.form;

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

function enumSentence(words: readonly unknown[], value: unknown): string {
  if (words.length === 1) return `must be ${String(words[0])}`;
  const texts = words.map(String);
  if (!isLong(words)) return `must be one of ${texts.join(', ')}${meant(value, texts)}`;
  const near = meant(value, texts);
  return `is none of the ${words.length} words known here${near === '' ? `, such as ${texts.slice(-2).join(' or ')}` : near}`;
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
};
const typeExamples: Readonly<Record<string, string>> = { integer: ', such as 10', number: ', such as 1.5' };
const typeSentence = (types: readonly string[]): string =>
  `must be ${types.map((type) => typeWords[type] ?? type).join(' or ')}${types.length === 1 ? (typeExamples[types[0] ?? ''] ?? '') : ''}`;
