import type { Json } from './json-schema.ts';

/** One difference between two shapes of an event's data. */
export interface Difference {
  /** For example `data.media.url`. */
  readonly path: string;
  readonly what: string;
  /** Whether a reader of the earlier shape can fail on data of the later one. */
  readonly breaks: boolean;
}

/** Words of a schema that are compared one by one, not as a whole. */
const structural = new Set(['properties', 'required', 'items', 'enum', 'type', 'anyOf']);

/**
 * Breaks that a reader of the earlier shape meets in the later one. New fields break nobody: readers pass over what they do not
 * know. So it is with members of a union whose `type` tells them apart. Everything else that was promised must stay: fields,
 * that they are always there, types, values, formats.
 */
export function differences(before: Json, after: Json, path = 'data'): Difference[] {
  return [
    ...typeOf(before, after, path),
    ...valuesOf(before, after, path),
    ...fieldsOf(before, after, path),
    ...restOf(before, after, path),
    ...itemsOf(before, after, path),
    ...membersOf(before, after, path),
  ];
}

const text = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value));
const broken = (path: string, what: string): Difference => ({ path, what, breaks: true });

function typeOf({ type: before }: Json, { type: after }: Json, path: string): Difference[] {
  if (text(before) === text(after)) return [];
  return [broken(path, `the type was ${text(before)} and is ${text(after)}`)];
}

function valuesOf({ enum: before }: Json, { enum: after }: Json, path: string): Difference[] {
  if (before === undefined && Array.isArray(after))
    return [{ path, what: `the values are ${text(after)} now`, breaks: false }];
  if (!Array.isArray(before) || !Array.isArray(after))
    return text(before) === text(after) ? [] : [broken(path, `the values were ${text(before)} and are ${text(after)}`)];
  const gone = before.filter((value) => !after.includes(value));
  const come = after.filter((value) => !before.includes(value));
  return [
    ...gone.map((value) => broken(path, `the value ${text(value)} was removed`)),
    ...come.map((value) => broken(path, `the value ${text(value)} was added, which readers do not know`)),
  ];
}

function fieldsOf(before: Json, after: Json, path: string): Difference[] {
  const [earlier, later] = [propertiesOf(before), propertiesOf(after)];
  const [needed, given] = [requiredOf(before), requiredOf(after)];
  const kept = Object.keys(earlier).flatMap((name): Difference[] => {
    const [was, is] = [earlier[name], later[name]];
    const where = `${path}.${name}`;
    if (is === undefined) return [broken(where, `the ${needed.has(name) ? 'required' : 'optional'} field was removed`)];
    return [...presence(where, needed.has(name), given.has(name)), ...differences(was ?? {}, is, where)];
  });
  const added = Object.keys(later).filter((name) => !(name in earlier));
  return [
    ...kept,
    ...added.map((name) => ({
      path: `${path}.${name}`,
      what: `the ${given.has(name) ? 'required' : 'optional'} field was added`,
      breaks: false,
    })),
  ];
}

function presence(path: string, before: boolean, after: boolean): Difference[] {
  if (before === after) return [];
  return before
    ? [broken(path, 'the field was required and is optional')]
    : [{ path, what: 'the field was optional and is required', breaks: false }];
}

function restOf(before: Json, after: Json, path: string): Difference[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => !structural.has(name));
  return names
    .filter((name) => text(before[name]) !== text(after[name]))
    .map((name) => broken(path, `${name} was ${text(before[name])} and is ${text(after[name])}`));
}

function itemsOf({ items: before }: Json, { items: after }: Json, path: string): Difference[] {
  if (before === undefined && after === undefined) return [];
  return differences((before ?? {}) as Json, (after ?? {}) as Json, `${path}[]`);
}

function membersOf({ anyOf: before }: Json, { anyOf: after }: Json, path: string): Difference[] {
  if (text(before) === text(after)) return [];
  const paired = pairs(before, after);
  if (paired !== undefined) return paired.flatMap(([name, was, is]) => differences(was, is, `${path}(${name})`));
  const [earlier, later] = [membersByType(before), membersByType(after)];
  if (earlier === undefined || later === undefined)
    return [broken(path, `anyOf was ${text(before)} and is ${text(after)}`)];
  const kept = [...earlier].flatMap(([type, was]): Difference[] => {
    const is = later.get(type);
    return is === undefined
      ? [broken(path, `the member ${text(type)} was removed`)]
      : differences(was, is, `${path}(${type})`);
  });
  const added = [...later.keys()].filter((type) => !earlier.has(type));
  return [...kept, ...added.map((type) => ({ path, what: `the member ${text(type)} was added`, breaks: false }))];
}

/** Each member beside what it was, when all that there were are there and no others: told apart by `nameOf`. */
function pairs(before: unknown, after: unknown): [string, Json, Json][] | undefined {
  if (!Array.isArray(before) || !Array.isArray(after) || before.length !== after.length) return undefined;
  const [earlier, later] = [before, after].map(
    (union: Json[]) => new Map(union.map((one) => [nameOf(one, union), one])),
  );
  if (earlier?.size !== before.length || later?.size !== after.length) return undefined;
  const found = [...earlier].flatMap(([name, was]): [string, Json, Json][] => {
    const is = later.get(name);
    return is === undefined ? [] : [[name, was, is]];
  });
  return found.length === before.length ? found : undefined;
}

/** Name of a member: its fixed word; else its type, or, of several objects, the fields that each must have. */
function nameOf(member: Json, union: readonly Json[]): string {
  const { type, kind } = propertiesOf(member);
  const word = type?.['const'] ?? kind?.['const'];
  if (typeof word === 'string') return word;
  const isOneOfMany = member['type'] === 'object' && union.filter((one) => one['type'] === 'object').length > 1;
  return isOneOfMany ? [...requiredOf(member)].join() : String(member['type']);
}

/** The members of a union by their literal `type`; undefined when that does not tell them apart. */
function membersByType(union: unknown): ReadonlyMap<string, Json> | undefined {
  if (!Array.isArray(union)) return undefined;
  const members = new Map(union.map((member: Json) => [propertiesOf(member)['type']?.['const'], member] as const));
  const types = [...members.keys()];
  return members.size === union.length && types.every((type) => typeof type === 'string')
    ? (members as ReadonlyMap<string, Json>)
    : undefined;
}

const propertiesOf = ({ properties }: Json): Readonly<Record<string, Json>> =>
  (properties ?? {}) as Readonly<Record<string, Json>>;
const requiredOf = ({ required }: Json): ReadonlySet<string> => new Set((required ?? []) as string[]);

/** A difference as a line for whoever has made the change. */
export const lineOf = ({ path, what }: Difference): string => `${path}: ${what}`;
