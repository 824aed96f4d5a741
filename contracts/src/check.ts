import { Ajv, str, type ErrorObject, type FuncKeywordDefinition, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { TSchema } from 'typebox';
import { normalizePhone, parseRecipient } from './recipient.ts';

/** One fault of an input: a path such as `body.messages[2].to` and a sentence. */
export interface Fault {
  readonly path: string;
  readonly message: string;
}

// That contracts are valid schemas is tested; looking at it in each process takes a fifth of the time of all checks.
const options = {
  allErrors: true,
  strict: false,
  useDefaults: true,
  discriminator: true,
  validateSchema: false,
} as const;
/** Lengths count in UTF-16 units (api-decisions §4); the library counts code points. */
const longest: FuncKeywordDefinition = {
  keyword: 'maxLength',
  type: 'string',
  schemaType: 'number',
  validate: (most: number, text: string) => text.length <= most,
  error: { message: ({ schemaCode }) => str`must NOT have more than ${schemaCode} characters` },
};
/** One emoji as it is seen, whatever it is made of; those that look like text without a selector too. */
const oneEmoji = /^(?:\p{RGI_Emoji}|\p{Extended_Pictographic}\uFE0F?)$/v;
const strictAjv = addTo(new Ajv(options));
/** Query strings and path parameters arrive as strings; a list of one arrives as its item. */
const coercingAjv = addTo(new Ajv({ ...options, coerceTypes: 'array' }));

/** The library's `date-time` also takes leap seconds and offsets without minutes, of which no `Date` can be made. */
function addTo(ajv: Ajv): Ajv {
  addFormats.default(ajv);
  const ofLibrary = ajv.formats['date-time'] as { validate: (text: string) => boolean };
  ajv.addFormat('date-time', (text: string) => ofLibrary.validate(text) && !Number.isNaN(Date.parse(text)));
  ajv.removeKeyword('maxLength').addKeyword(longest);
  ajv.addFormat('recipient', (value: string) => parseRecipient(value) !== undefined);
  ajv.addFormat('person', (value: string) => (parseRecipient(value)?.kind ?? 'group') !== 'group');
  ajv.addFormat('emoji', (value: string) => value === '' || oneEmoji.test(value));
  ajv.addFormat('phone', (value: string) => normalizePhone(value) !== undefined);
  return ajv;
}

const compiled = new WeakMap<TSchema, ValidateFunction>();
const compiledCoercing = new WeakMap<TSchema, ValidateFunction>();

/**
 * Checks a value against a contract's schema; fills in defaults in place.
 *
 * @param where the first word of each path: `body`, `query`, `params`, `data`
 * @param coerce read numbers and booleans from strings (query and path)
 * @returns the faults, none when the value fits
 */
export function check(schema: TSchema, value: unknown, where: string, coerce = false): Fault[] {
  const cache = coerce ? compiledCoercing : compiled;
  let validate = cache.get(schema);
  if (validate === undefined) {
    validate = (coerce ? coercingAjv : strictAjv).compile(schema);
    cache.set(schema, validate);
  }
  if (validate(value)) return [];
  return (validate.errors ?? []).map((error) => fault(error, where));
}

function fault(error: ErrorObject, where: string): Fault {
  const path = where + error.instancePath.replaceAll(/\/(\d+)/g, '[$1]').replaceAll('/', '.');
  switch (error.keyword) {
    case 'required':
      return { path: `${path}.${error.params['missingProperty']}`, message: 'is required' };
    case 'additionalProperties':
      return { path: `${path}.${error.params['additionalProperty']}`, message: 'is not a known field' };
    case 'discriminator':
      return { path: `${path}.${error.params['tag']}`, message: 'is none of the kinds known here' };
    case 'enum':
      return { path, message: `must be one of ${(error.params['allowedValues'] as unknown[]).join(', ')}` };
    default:
      return { path, message: error.message ?? 'is not valid' };
  }
}
