import { Ajv, str, type FuncKeywordDefinition, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { TSchema } from 'typebox';
import { faultsOf, type Fault } from './fault.ts';
import { isTime, textFormats } from './formats.ts';

export { mostFaults, type Fault } from './fault.ts';

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
