import type { TObject, TSchema } from 'typebox';
import type { Operation } from '../src/index.ts';
import { fieldWords, typeWords } from './field-words.ts';
import type { Json } from './json-schema.ts';
import type { NamedSchemas } from './named-schemas.ts';
import type { commonParameters } from './openapi-components.ts';

interface Parameter extends Json {
  readonly name: string;
  readonly in: string;
}

/** Uses from which on a parameter stands in `components.parameters`. */
const several = 3;

/** Parameters of queries that many routes have alike, by their names there. */
export function sharedParameters(
  operations: readonly Operation[],
  schemas: NamedSchemas,
): Readonly<Record<string, Parameter>> {
  const all = operations.flatMap(({ query }) => (query === undefined ? [] : fieldsOf(query, 'query', schemas)));
  return Object.fromEntries(
    [...Map.groupBy(all, ({ name }) => name)].flatMap(([name, alike]) => {
      const [uses = []] = [...Map.groupBy(alike, textOf).values()].toSorted((one, other) => other.length - one.length);
      const [parameter] = uses;
      return parameter === undefined || uses.length < several ? [] : [[capital(name), parameter] as const];
    }),
  );
}

const textOf = (parameter: Parameter): string => JSON.stringify(parameter);
const capital = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
const reference = (name: keyof typeof commonParameters): Json => ({ $ref: `#/components/parameters/${name}` });

/** Parameters of a route: by reference those that many have. */
export function parametersOf(
  { params, query, path, method, stream, browserSession }: Operation,
  schemas: NamedSchemas,
  shared: Readonly<Record<string, Parameter>>,
): Json[] {
  const byText = new Map(Object.entries(shared).map(([name, parameter]) => [textOf(parameter), name]));
  const asked = query === undefined ? [] : fieldsOf(query, 'query', schemas);
  return [
    ...(params === undefined ? [] : fieldsOf(params, 'path', schemas).map((parameter) => described(parameter, path))),
    ...asked.map((parameter) => {
      const name = byText.get(textOf(parameter));
      return name === undefined ? parameter : reference(name);
    }),
    reference('RequestId'),
    ...(method === 'POST' ? [reference('IdempotencyKey')] : []),
    ...(browserSession === undefined || browserSession === 'ends' ? [] : [reference('BrowserSession')]),
    ...(stream === undefined ? [] : [reference('LastEventId')]),
  ];
}

function fieldsOf(fields: TObject, place: 'path' | 'query', schemas: NamedSchemas): Parameter[] {
  const properties: Readonly<Record<string, TSchema>> = fields.properties;
  const required: readonly string[] = fields.required ?? [];
  return Object.entries(properties).map(([name, field]) => {
    const { description, ...schema } = schemas.placed(field);
    const own = typeof description === 'string' && !typeWords.has(description) ? description : undefined;
    const said = own ?? (place === 'query' ? (filterWords[name] ?? fieldWords[name]) : undefined);
    return {
      name,
      in: place,
      required: required.includes(name),
      ...(said !== undefined && { description: said }),
      schema,
    };
  });
}

/** Descriptions of query fields that choose from a list. */
const filterWords: Readonly<Record<string, string>> = {
  action: 'Only those of this action',
  actorId: 'Only what this one did',
  archived: 'true: only archived ones; false: only others',
  accountId: 'Only those of this account',
  profileId: 'Only those of this profile',
  resourceId: 'Only what was done to this',
  resourceType: 'Only what was done to things of this kind',
  status: 'Only those that stand so',
  type: 'Only those of this kind',
  userId: 'Only what this user did',
  workspaceId: 'Only those of this workspace',
};

/** `<thing>Id` in a path, or `id` behind the name of many of them, is the id of the thing. */
function described(parameter: Parameter, path: string): Parameter {
  const { name, in: place, required, description, ...rest } = parameter;
  if (description !== undefined) return parameter;
  return { name, in: place, required, description: pathWords(name, path), ...rest };
}

function pathWords(name: string, path: string): string {
  if (!/id$/i.test(name)) return fieldWords[name] ?? name;
  const [, before = ''] = new RegExp(`([^/]+)/:${name}(?:/|$)`).exec(path) ?? [];
  const thing = name === 'id' ? singular(before) : name.slice(0, -'Id'.length);
  return `Id of the ${{ org: 'organization', 'api key': 'API key' }[thing] ?? thing}`;
}

const singular = (many: string): string => many.replace(/ies$/, 'y').replace(/s$/, '').replaceAll('-', ' ');
