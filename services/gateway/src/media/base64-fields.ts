import { kindOfBase64, type MediaKind } from '@messaging-gateway/contracts';
import type { TSchema } from 'typebox';

/** A field of a body that holds media as base64 (`Base64Media`). */
export interface Base64Field {
  /** Names of fields from the body on; `undefined` stands for each item of a list. */
  readonly path: readonly (string | undefined)[];
  /** Several where the field is in several members of a union. */
  readonly kinds: readonly MediaKind[];
}

type Node = TSchema & Partial<Record<'properties', Record<string, TSchema>> & Record<'items', TSchema>> & Branches;
type Branches = Partial<Record<'anyOf' | 'oneOf' | 'allOf', readonly TSchema[]>>;

/** All such fields of a body's schema. */
export function base64Fields(schema: TSchema | undefined): readonly Base64Field[] {
  const found = new Map<string, { path: Base64Field['path']; kinds: Set<MediaKind> }>();
  const walk = (node: Node, path: Base64Field['path']): void => {
    const kind = kindOfBase64(node);
    if (kind !== undefined) {
      const name = JSON.stringify(path.map((step) => step ?? null));
      const known = found.get(name) ?? { path, kinds: new Set() };
      known.kinds.add(kind);
      found.set(name, known);
    }
    for (const [name, child] of Object.entries(node.properties ?? {})) walk(child, [...path, name]);
    if (node.items !== undefined) walk(node.items, [...path, undefined]);
    for (const branch of [node.anyOf, node.oneOf, node.allOf]) {
      for (const child of branch ?? []) walk(child, path);
    }
  };
  if (schema !== undefined) walk(schema, []);
  return [...found.values()].map(({ path, kinds }) => ({ path, kinds: [...kinds] }));
}

/** A field with media in one body. */
export interface Base64Value {
  /** For example `body.messages[2].base64`. */
  readonly where: string;
  readonly kinds: readonly MediaKind[];
  readonly text: string;
  /** What stands beside it. */
  readonly beside: Readonly<Record<string, unknown>>;
  replace(value: string): void;
}

/** The media of a body. Replacing changes the body. */
export function base64Values(body: unknown, fields: readonly Base64Field[]): readonly Base64Value[] {
  return fields.flatMap(({ path, kinds }) => valuesAt(body, path, 'body').map((value) => ({ ...value, kinds })));
}

function valuesAt(node: unknown, path: Base64Field['path'], where: string): Omit<Base64Value, 'kinds'>[] {
  if (typeof node !== 'object' || node === null) return [];
  const [step, ...rest] = path;
  if (step === undefined) {
    return Array.isArray(node) ? node.flatMap((item, index) => valuesAt(item, rest, `${where}[${index}]`)) : [];
  }
  const holder = node as Record<string, unknown>;
  const value = holder[step];
  if (rest.length > 0) return valuesAt(value, rest, `${where}.${step}`);
  if (typeof value !== 'string') return [];
  return [{ where: `${where}.${step}`, text: value, beside: holder, replace: (by) => void (holder[step] = by) }];
}
