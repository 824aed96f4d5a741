import { Type } from 'typebox';

/**
 * A placeholder of templates, broadcasts and flows, as the source of a regular expression: the name, and the fallback behind a bar.
 * `libs/placeholders` reads and fills them.
 */
export const placeholderPattern = String.raw`\{\{([A-Za-z0-9_.]{1,64})(?:\|([^{}]*))?\}\}`;

/** Values of placeholders by their names. */
export const PlaceholderValues = Type.Record(Type.String(), Type.String({ maxLength: 65_536 }), {
  description: 'Values of the placeholders by their names, put in as they are; further ones are left alone',
});
