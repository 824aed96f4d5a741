import type { Fault } from '@messaging-gateway/contracts';
import { Check, Errors } from 'typebox/schema';

type Given = Readonly<Record<string, unknown>>;

/** Characters of a schema as JSON, at most. */
const longest = 8_192;
const deepest = 5;
const types = ['object', 'array', 'string', 'number', 'integer', 'boolean'];

const isObject = (value: unknown): value is Given =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
const isText = (value: unknown): boolean => typeof value === 'string';

/** Keywords whose values hold no schema. Patterns and references are none: they could cost whoever checks by them any time. */
const plain: Readonly<Record<string, readonly [(value: unknown) => boolean, string]>> = {
  type: [(value) => types.includes(String(value)) && isText(value), `must be one of ${types.join(', ')}`],
  description: [isText, 'must be a text'],
  required: [(value) => Array.isArray(value) && value.every(isText), 'must be a list of names'],
  additionalProperties: [(value) => typeof value === 'boolean', 'must be true or false'],
  enum: [
    (value) =>
      Array.isArray(value) && value.length > 0 && value.every((one) => typeof one !== 'object' || one === null),
    'must be a list of texts, numbers, true, false and null',
  ],
  minimum: [Number.isFinite, 'must be a number'],
  maximum: [Number.isFinite, 'must be a number'],
  minLength: [isCount, 'must be a whole number from 0 on'],
  maxLength: [isCount, 'must be a whole number from 0 on'],
  minItems: [isCount, 'must be a whole number from 0 on'],
  maxItems: [isCount, 'must be a whole number from 0 on'],
};

/** What is wrong with the parameters of a tool. @param at their path */
export function parameterFaults(schema: Given, at: string): Fault[] {
  if (JSON.stringify(schema).length > longest)
    return [{ path: at, message: `must have at most ${longest} characters` }];
  return schema['type'] === 'object'
    ? schemaFaults(schema, at, 1)
    : [{ path: `${at}.type`, message: 'must be object: arguments have names' }];
}

function schemaFaults(schema: unknown, at: string, depth: number): Fault[] {
  if (!isObject(schema)) return [{ path: at, message: 'must be a JSON schema, as an object' }];
  if (depth > deepest) return [{ path: at, message: `is deeper than ${deepest} levels` }];
  return Object.entries(schema).flatMap(([keyword, value]) => {
    const path = `${at}.${keyword}`;
    if (keyword === 'items') return schemaFaults(value, path, depth + 1);
    if (keyword === 'properties')
      return isObject(value)
        ? Object.entries(value).flatMap(([name, one]) => schemaFaults(one, `${path}.${name}`, depth + 1))
        : [{ path, message: 'must be an object' }];
    const known = Object.hasOwn(plain, keyword) ? plain[keyword] : undefined;
    if (known === undefined) {
      const names = ['properties', 'items', ...Object.keys(plain)].join(', ');
      return [{ path, message: `is not among the keywords that are taken: ${names}` }];
    }
    const [fits, message] = known;
    return fits(value) ? [] : [{ path, message }];
  });
}

/**
 * Arguments without the optional ones that are null: many models name every parameter, and write null for those that they leave out.
 * A null that is required, or that the parameter permits, stays.
 */
export function withoutOmitted(parameters: Given, given: Given): Given {
  const required = new Set(Array.isArray(parameters['required']) ? parameters['required'] : []);
  const properties = isObject(parameters['properties']) ? parameters['properties'] : {};
  const schemaOf = (name: string): unknown => (Object.hasOwn(properties, name) ? properties[name] : undefined);
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => {
      const schema = schemaOf(name);
      if (!isObject(schema)) return [[name, value]];
      if (value === null && !required.has(name) && !Check(schema, null)) return [];
      return [[name, valueWithoutOmitted(schema, value)]];
    }),
  );
}

function valueWithoutOmitted(schema: Given, value: unknown): unknown {
  if (isObject(value)) return withoutOmitted(schema, value);
  const { items } = schema;
  return Array.isArray(value) && isObject(items) ? value.map((one) => valueWithoutOmitted(items, one)) : value;
}

/** Why arguments are none for these parameters; undefined: they fit. Tells names and bounds, no values. */
export function argumentFault(parameters: Given, given: Given): string | undefined {
  if (Check(parameters, given)) return undefined;
  const [, errors] = Errors(parameters, given);
  const [first] = errors.filter(({ keyword }) => keyword !== 'boolean');
  return first === undefined ? 'the arguments do not fit' : `${first.instancePath || 'the object'} ${first.message}`;
}
