import { textFormats } from '../src/index.ts';
import type { TSchema } from 'typebox';
import { fieldWords, typeWords } from './field-words.ts';
import type { Json } from './json-schema.ts';

const reference = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });
const same = (one: Json, other: Json): boolean => JSON.stringify(one) === JSON.stringify(other);

/** A schema beside what is said about it. */
interface Node extends Json {
  readonly title?: string;
  readonly description?: string;
}

/**
 * The schemas of the OpenAPI document. Whatever has a title stands there once, under it, and is a reference wherever it
 * is used; what a use says otherwise about it stands beside the reference.
 *
 * @throws Error when two schemas that differ have the same title
 */
export class NamedSchemas {
  readonly #schemas = new Map<string, Json>();
  /** Titles of unions, by what they are. */
  readonly #unions = new Map<string, string>();
  readonly #settled: ReadonlySet<string>;

  /** @param settled schemas that are what they are, whatever contracts have under the same title */
  constructor(settled: Readonly<Record<string, Json>>) {
    for (const [name, schema] of Object.entries(settled)) this.#schemas.set(name, schema);
    this.#settled = new Set(Object.keys(settled));
  }

  /** All that were named up to now, in the order of their names. */
  all(): Json {
    return Object.fromEntries([...this.#schemas].toSorted(([one], [other]) => (one < other ? -1 : 1)));
  }

  /**
   * A schema as it stands where it is used.
   *
   * @param title its name, where it has none of its own
   */
  placed(schema: TSchema, title?: string): Json {
    return this.#placed(JSON.parse(JSON.stringify(schema)) as Node, title);
  }

  #placed({ title: own, ...schema }: Node, given?: string): Json {
    const title = own ?? given;
    if (title === undefined) return this.#unnamed(this.#whole(schema));
    if (this.#settled.has(title)) return reference(title);
    const { description, ...whole } = this.#whole(schema) as Node;
    const known = this.#schemas.get(title);
    if (known === undefined) {
      this.#schemas.set(title, { ...(description !== undefined && { description }), ...whole });
      if ('oneOf' in whole) this.#unions.set(JSON.stringify(whole), title);
    } else {
      const { description: _, ...before } = known;
      if (!same(before, whole)) throw new Error(`Two schemas that differ have the title ${title}.`);
    }
    const otherwise = known !== undefined && description !== undefined && description !== known.description;
    return { ...reference(title), ...(otherwise && { description }) };
  }

  /** Without a title: itself, or that of the same members which has one. */
  #unnamed({ description, ...whole }: Node): Json {
    const said = { ...(description !== undefined && { description }) };
    const name = 'oneOf' in whole ? this.#unions.get(JSON.stringify(whole)) : undefined;
    return name === undefined ? { ...said, ...whole } : { ...reference(name), ...said };
  }

  /** The schema with what lies in it placed. */
  #whole(schema: Node): Json {
    const {
      anyOf,
      oneOf,
      discriminator: _,
      properties,
      items,
      patternProperties,
      additionalProperties,
      ...rest
    } = schema;
    const members = (anyOf ?? oneOf) as readonly Node[] | undefined;
    if (members !== undefined) return this.#union(rest, members);
    const values = Object.values((patternProperties as Readonly<Record<string, Node>> | undefined) ?? {});
    const further = values[0] ?? additionalProperties;
    return {
      ...inWords(rest),
      ...(isSchema(properties) && { properties: this.#fields(properties as Readonly<Record<string, Node>>) }),
      ...(isSchema(items) && { items: this.#placed(items) }),
      ...(further !== undefined && { additionalProperties: isSchema(further) ? this.#placed(further) : further }),
    };
  }

  #fields(properties: Readonly<Record<string, Node>>): Json {
    return Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, this.#field(name, field)]));
  }

  #field(name: string, field: Node): Json {
    const { description, ...placed } = this.#placed(field) as Node;
    const words = description === undefined || typeWords.has(description) ? fieldWords[name] : undefined;
    const said = words ?? description;
    return { ...placed, ...(said !== undefined && { description: said }) };
  }

  /** One of several: by reference and by the word that tells them apart, where each has a title and there is such a word. */
  #union(given: Node, members: readonly Node[]): Json {
    const { type: _, required: __, ...rest } = given;
    const placed = members.map((one) => this.#placed(one));
    const field = wordOf(members);
    if (field === undefined) return orNull({ ...rest, anyOf: placed });
    const mapping = Object.fromEntries(members.map((one, index) => [constOf(one, field), placed[index]?.['$ref']]));
    return { ...rest, oneOf: placed, discriminator: { propertyName: field, mapping } };
  }
}

/** The field whose fixed word is another one in each member. */
function wordOf(members: readonly Node[]): string | undefined {
  const [first] = members;
  if (members.length < 2 || members.some(({ title }) => title === undefined)) return undefined;
  return Object.keys((first?.['properties'] as Json | undefined) ?? {}).find((field) => {
    const words = members.map((one) => constOf(one, field));
    return !words.includes(undefined) && new Set(words).size === words.length;
  });
}

const constOf = ({ properties }: Node, field: string): string | undefined => {
  const word = (properties as Readonly<Record<string, { readonly const?: unknown }>> | undefined)?.[field]?.const;
  return typeof word === 'string' ? word : undefined;
};

const isSchema = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/** Null is a type beside that of a plain member; what is said about the member is said about both. */
function orNull({ anyOf, ...rest }: { readonly anyOf: readonly Json[] } & Json): Json {
  const [member, none, ...more] = anyOf as readonly Node[];
  if (member === undefined || none?.['type'] !== 'null' || more.length > 0) return { ...rest, anyOf };
  const { description, ...plainly } = member;
  const words = { ...(description !== undefined && { description }), ...rest };
  if (typeof plainly['type'] !== 'string' || 'enum' in plainly || 'const' in plainly)
    return { ...words, anyOf: [plainly, none] };
  return { ...words, ...plainly, type: [plainly['type'], 'null'] };
}

/** Formats of our own with the pattern that stands for them elsewhere, and with their sentence. */
function inWords(schema: Node): Node {
  const own = textFormats[schema['format'] as string];
  if (own?.pattern === undefined) return schema;
  return { description: `A text that ${own.form}`, ...schema, pattern: own.pattern };
}
