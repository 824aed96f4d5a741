import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { TSchema } from 'typebox';
import { parseRecipient } from './recipient.ts';

/** One fault of an input: a path such as `body.messages[2].to` and a sentence. */
export interface Fault {
  readonly path: string;
  readonly message: string;
}

const options = { allErrors: true, strict: false, useDefaults: true } as const;
const strictAjv = addTo(new Ajv(options));
/** Query strings and path parameters arrive as strings; a list of one arrives as its item. */
const coercingAjv = addTo(new Ajv({ ...options, coerceTypes: 'array' }));

function addTo(ajv: Ajv): Ajv {
  addFormats.default(ajv);
  ajv.addFormat('recipient', (value: string) => parseRecipient(value) !== undefined);
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
    case 'enum':
      return { path, message: `must be one of ${(error.params['allowedValues'] as unknown[]).join(', ')}` };
    default:
      return { path, message: error.message ?? 'is not valid' };
  }
}
