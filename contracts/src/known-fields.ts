import type { TSchema } from 'typebox';

type Shape = {
  readonly type?: unknown;
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
};
type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The value without fields that a schema does not name: what a newer sender has added. The value itself is left as it is.
 * Of a union that member counts whose fixed words the value has, and whose required fields.
 */
export const knownFields = (schema: TSchema, value: unknown): unknown => known(schema, value);

function known(schema: Shape, value: unknown): unknown {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items === undefined ? value : value.map((item) => known(items, item));
  }
  if (!isFields(value)) return value;
  if (schema.anyOf !== undefined) {
    const member = schema.anyOf.find((one) => fits(one, value));
    return member === undefined ? value : known(member, value);
  }
  const { properties } = schema;
  if (properties === undefined || schema.additionalProperties !== false) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]) => {
      const of = Object.hasOwn(properties, name) ? properties[name] : undefined;
      return of === undefined ? [] : [[name, known(of, field)] as const];
    }),
  );
}

function fits({ anyOf, properties = {}, required = [], type }: Shape, value: Fields): boolean {
  if (anyOf !== undefined) return anyOf.some((one) => fits(one, value));
  return (
    type === 'object' &&
    required.every((name) => value[name] !== undefined) &&
    Object.entries(properties).every(([name, of]) => of.const === undefined || value[name] === of.const)
  );
}
