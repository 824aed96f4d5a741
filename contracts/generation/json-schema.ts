import type { TSchema } from 'typebox';

export type Json = { readonly [key: string]: unknown };

/** The schema as plain JSON, without what is for our checks alone: `discriminator` is no word of JSON Schema. */
export const plain = (schema: TSchema): Json =>
  JSON.parse(
    JSON.stringify(schema, (key, value: unknown) => (key === 'discriminator' && isChoice(value) ? undefined : value)),
  ) as Json;

const isChoice = (value: unknown): boolean => typeof value === 'object' && value !== null && 'propertyName' in value;

/** The shape of a schema: without what may change at any time, words for people. */
export const shapeOf = (schema: TSchema): Json =>
  JSON.parse(
    JSON.stringify(schema, (key, value: unknown) =>
      (key === 'description' || key === 'title') && typeof value === 'string' ? undefined : value,
    ),
  ) as Json;

/** Text of a generated file. */
export const fileText = (content: unknown): string => `${JSON.stringify(content, undefined, 2)}\n`;
